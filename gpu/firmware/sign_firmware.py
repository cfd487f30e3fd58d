#!/usr/bin/env python3
"""Writes the signature into a GSP firmware image: FNV-1a 64 over the key, then the image with a zero signature."""
import struct
import sys

KEY = 0x656B20726F747361  # CASTOR_GSP_SIGNING_KEY
SIGNATURE_OFFSET = 24     # of struct castor_gsp_image


def fnv(value, data):
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


source, target = sys.argv[1:]
image = bytearray(open(source, "rb").read())
magic, abi, entry, size = struct.unpack_from("<IIQI", image)
if magic != 0x46505347 or size != len(image):
    sys.exit(f"{source}: not a GSP image, or its header says {size} bytes and it has {len(image)}")
image[SIGNATURE_OFFSET:SIGNATURE_OFFSET + 8] = bytes(8)
signature = fnv(fnv(0xCBF29CE484222325, struct.pack("<Q", KEY)), image)
image[SIGNATURE_OFFSET:SIGNATURE_OFFSET + 8] = struct.pack("<Q", signature)
open(target, "wb").write(image)
