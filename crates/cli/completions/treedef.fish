# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_treedef_global_optspecs
    string join \n depth= full treedef only= sort= json svg html partial schema= format= color= h/help V/version
end

function __fish_treedef_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_treedef_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_treedef_using_subcommand
    set -l cmd (__fish_treedef_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c treedef -n "__fish_treedef_needs_command" -l depth -d 'show N levels' -r -f
complete -c treedef -n "__fish_treedef_needs_command" -l only -d 'show the leaves whose name matches: h.*.attn.**, kernel, {a,b}; * is one part of a name, ** any parts or none, and so is a * at the beginning: *.bias matches bias and h.0.bias' -r -f
complete -c treedef -n "__fish_treedef_needs_command" -l sort -d 'show large parts first' -r -f -a "size\t''
key\t''"
complete -c treedef -n "__fish_treedef_needs_command" -l schema -d 'read the file as a record of the crate treedef, of the type of this schema page: show the values, with paths and types' -r -F
complete -c treedef -n "__fish_treedef_needs_command" -l format -d 'read the file as json, safetensors, npz, npy, msgpack, proto, export, treedef or key, whatever its name is' -r -f -a "json\t''
safetensors\t''
npz\t''
npy\t''
msgpack\t''
proto\t''
export\t''
treedef\t''
key\t''"
complete -c treedef -n "__fish_treedef_needs_command" -l color -d 'always, never, or auto: on a terminal, unless NO_COLOR is set' -r -f -a "always\t''
never\t''
auto\t''"
complete -c treedef -n "__fish_treedef_needs_command" -l full -d 'show every node: nothing is folded or shortened'
complete -c treedef -n "__fish_treedef_needs_command" -l treedef -d 'show the facts of the treedef, too: nodes, bytes, fingerprints, the text of JAX'
complete -c treedef -n "__fish_treedef_needs_command" -l json -d 'print JSON: sizes, and name, dtype and shape of every leaf'
complete -c treedef -n "__fish_treedef_needs_command" -l svg -d 'print a picture: parts are as tall as their share of the bytes, and have the colour of their dtype'
complete -c treedef -n "__fish_treedef_needs_command" -l html -d 'print a page: the picture, and a tree that opens and closes'
complete -c treedef -n "__fish_treedef_needs_command" -l partial -d 'read what is there: a checkpoint of which files are absent, or the beginning of a safetensors or .npy file with its header'
complete -c treedef -n "__fish_treedef_needs_command" -s h -l help -d 'print this'
complete -c treedef -n "__fish_treedef_needs_command" -s V -l version -d 'print the version'
complete -c treedef -n "__fish_treedef_needs_command" -a "inspect" -d 'Shows the tree in a file: parameters, bytes, dtypes, and the share of each part.'
complete -c treedef -n "__fish_treedef_needs_command" -a "diff" -d 'Shows how the trees of two files differ: in structure, dtypes and shapes.'
complete -c treedef -n "__fish_treedef_needs_command" -a "help" -d 'Prints the help of a command'
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -l depth -d 'show N levels' -r -f
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -l only -d 'show the leaves whose name matches: h.*.attn.**, kernel, {a,b}; * is one part of a name, ** any parts or none, and so is a * at the beginning: *.bias matches bias and h.0.bias' -r -f
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -l sort -d 'show large parts first' -r -f -a "size\t''
key\t''"
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -l schema -d 'read the file as a record of the crate treedef, of the type of this schema page: show the values, with paths and types' -r -F
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -l format -d 'read the file as json, safetensors, npz, npy, msgpack, proto, export, treedef or key, whatever its name is' -r -f -a "json\t''
safetensors\t''
npz\t''
npy\t''
msgpack\t''
proto\t''
export\t''
treedef\t''
key\t''"
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -l color -d 'always, never, or auto: on a terminal, unless NO_COLOR is set' -r -f -a "always\t''
never\t''
auto\t''"
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -l full -d 'show every node: nothing is folded or shortened'
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -l treedef -d 'show the facts of the treedef, too: nodes, bytes, fingerprints, the text of JAX'
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -l json -d 'print JSON: sizes, and name, dtype and shape of every leaf'
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -l svg -d 'print a picture: parts are as tall as their share of the bytes, and have the colour of their dtype'
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -l html -d 'print a page: the picture, and a tree that opens and closes'
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -l partial -d 'read what is there: a checkpoint of which files are absent, or the beginning of a safetensors or .npy file with its header'
complete -c treedef -n "__fish_treedef_using_subcommand inspect" -s h -l help -d 'print this'
complete -c treedef -n "__fish_treedef_using_subcommand diff" -l strip -d 'leave out the beginning of names, such as module.' -r -f
complete -c treedef -n "__fish_treedef_using_subcommand diff" -l rename -d 'write other parts in the names of A: --rename h model.layers, --rename default \'\' to leave one out; may come several times' -r -f
complete -c treedef -n "__fish_treedef_using_subcommand diff" -l schema -d 'read both files as records of the crate treedef, of the type of this schema page; a second --schema names the page of B' -r -F
complete -c treedef -n "__fish_treedef_using_subcommand diff" -l format -d 'read both files as json, safetensors, npz, npy, msgpack, proto, export, treedef or key, whatever their names are' -r -f -a "json\t''
safetensors\t''
npz\t''
npy\t''
msgpack\t''
proto\t''
export\t''
treedef\t''
key\t''"
complete -c treedef -n "__fish_treedef_using_subcommand diff" -l color -d 'always, never, or auto: on a terminal, unless NO_COLOR is set' -r -f -a "always\t''
never\t''
auto\t''"
complete -c treedef -n "__fish_treedef_using_subcommand diff" -l structure -d 'compare the structure alone'
complete -c treedef -n "__fish_treedef_using_subcommand diff" -l prefix -d 'show where A is not a prefix of B; a leaf of A is a prefix of any subtree'
complete -c treedef -n "__fish_treedef_using_subcommand diff" -l all -d 'show every difference: nothing is folded or left out'
complete -c treedef -n "__fish_treedef_using_subcommand diff" -l json -d 'print JSON: every difference, with names, dtypes and shapes'
complete -c treedef -n "__fish_treedef_using_subcommand diff" -l partial -d 'read what is there: a checkpoint of which files are absent, or the beginning of a safetensors or .npy file with its header'
complete -c treedef -n "__fish_treedef_using_subcommand diff" -s h -l help -d 'print this'
