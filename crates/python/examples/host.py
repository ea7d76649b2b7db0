"""Reads the frames of the drive controller in `no_std-check/device`, and names each leaf.

    python3 examples/host.py examples/drive.bin

The device sends the key of its type, and its schema once to a host that asks. After that it sends only frames of values, without
names: the schema has these. `line.rs` of the device describes what is around each message: a number, and a CRC-32C, stuffed by COBS, with
a zero byte at the end. `drive.bin` is what the device sends as answers to a greeting, a request for the schema, and one for 100 steps.
"""

import pathlib
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
    key = schema = None
    for message in frames(pathlib.Path(sys.argv[1]).read_bytes()):
        _, message = number(message)
        refused, message = number(message)
        if refused:
            sys.exit("the device refuses the request")
        kind, message = number(message)
        count, message = number(message)
        if kind == 0:
            key = count
        elif kind == 1:
            schema = treedef.from_bytes(message)
            is_of = "its" if schema.fingerprint() == key else "another"
            print(f"device has the key {key:016x}, and sends a schema of {count} bytes, which has {is_of} key")
        elif schema:
            for path, leaf in treedef.read_frame(message, schema).paths().items():
                print(f"  {path:32} {leaf!r}")


if __name__ == "__main__":
    main()
