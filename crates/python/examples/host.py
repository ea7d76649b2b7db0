"""Reads the frames of the drive controller in `no_std-check/device`, and names each leaf.

    python3 examples/host.py examples/drive.bin

The device sends its treedef once. After that it sends only leaves, without names: the treedef has these. `line.rs` of the
device describes the frames: a number and a message by postcard, and their CRC-32C, stuffed by COBS, with a zero byte at the end.
`drive.bin` is what the device sends as answers to a greeting and to a request for 100 steps.
"""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import treedef


def frames(stream):
    """Yields the messages of the frames that arrived whole."""
    for frame in stream.split(b"\0")[:-1]:
        body = bytearray()
        while frame:
            length, frame = frame[0], frame[1:]
            body += frame[: length - 1] + b"\0" * (length < 255 and length <= len(frame))
            frame = frame[length - 1 :]
        message, checksum = bytes(body[:-4]), bytes(body[-4:])
        if checksum == crc(message).to_bytes(4, "little"):
            yield message


def crc(data):
    """The CRC-32C."""
    register = 0xFFFFFFFF
    for byte in data:
        register ^= byte
        for _ in range(8):
            register = register >> 1 ^ 0x82F63B78 * (register & 1)
    return register ^ 0xFFFFFFFF


def number(data):
    """Takes a number of postcard from the front."""
    end = next(at for at, byte in enumerate(data) if byte < 128) + 1
    return sum((byte & 127) << 7 * at for at, byte in enumerate(data[:end])), data[end:]


def main():
    structure = None
    for message in frames(pathlib.Path(sys.argv[1]).read_bytes()):
        _, message = number(message)
        refused, message = number(message)
        if refused:
            sys.exit("the device refuses the request")
        kind, message = number(message)
        count, message = number(message)
        if kind == 0:
            structure = treedef.from_bytes(message)
            print(f"device has structure {structure.fingerprint():016x}: {count} bytes, {structure.num_leaves} leaves")
        elif structure and count == structure.num_leaves:
            for path, leaf in zip(structure.paths(), struct.unpack(f"<{count}f", message)):
                print(f"  {path:32} {treedef.Float32(leaf)!r}")


if __name__ == "__main__":
    main()
