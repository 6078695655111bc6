#!/usr/bin/env python3
"""Draws a bar of its own: netqueue --json URL... | python3 bar.py"""
import json
import sys


def amount(count):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.1f} TiB"


for line in sys.stdin:
    event = json.loads(line)
    if event["event"] == "plan":
        print(f"{event['plan']['count']} files, {amount(event['plan']['knownBytes'])} or more")
    elif event["event"] == "progress":
        progress = event["progress"]
        fraction, counts = progress["fractionCompleted"], progress["counts"]
        done = int(fraction * 30)
        text = f"[{'#' * done}{'.' * (30 - done)}] {fraction:4.0%} {counts['finished']}/{counts['total']}"
        # Unknown values are absent.
        if "bytesPerSecond" in progress:
            text += f" {amount(progress['bytesPerSecond'])}/s"
        if "estimatedTimeRemaining" in progress:
            text += f" {progress['estimatedTimeRemaining']:.0f} s left"
        print(f"\r{text:<70}", end="", flush=True)
    elif event["event"] == "group":
        print(f"\n{event['group']!r}: {event['finished']} of {event['total']} files")
    elif event["event"] == "fail":
        print(f"\n{event['name']!r}: {event['reason']}")
    elif event["event"] == "summary":
        print(f"\r{'':<70}\r{event['finished']} of {event['total']} files, {amount(event['bytes'])}")
