# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of raw figures: TSV files with notes about the origin of their rows.

The notes are above the line of column names, one per line: "# KIND {JSON}". Kinds are "run" (date,
machine, versions, command; a row's column "run" has its id), "clip", "setting" (options of an
encoder), and others of single tables. All generated blocks of pages come from these files alone.
"""

import json
import os
import threading


class Table:
    def __init__(self, path, fields=()):
        self.path = path
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.fields = list(fields)
        self.notes = {}  # kind -> list of dicts
        self.rows = []   # dicts: column -> text
        self.lock = threading.Lock()

    @classmethod
    def load(cls, path):
        table = cls(path)
        with open(path) as f:
            # A killed run may have left half a line.
            lines = [line[:-1] for line in f if line.endswith("\n")]
        for line in lines:
            if line.startswith("# "):
                kind, _, note = line[2:].partition(" ")
                table.notes.setdefault(kind, []).append(json.loads(note))
            elif not table.fields:
                table.fields = line.split("\t")
            else:
                cells = line.split("\t")
                if len(cells) != len(table.fields):
                    raise ValueError(f"{path}: {len(cells)} cells where {len(table.fields)} belong")
                table.rows.append(dict(zip(table.fields, cells)))
        return table

    @classmethod
    def open(cls, path, fields=()):
        """Load the table, or make a new one."""
        return cls.load(path) if os.path.exists(path) else cls(path, fields)

    def note(self, kind, note, *keys):
        """Add a note; it replaces notes with the same keys."""
        kept = [n for n in self.notes.get(kind, []) if any(n[k] != note[k] for k in keys)]
        self.notes[kind] = kept + [note]

    def prune(self):
        """Drop notes that no row refers to."""
        for kind, keys in (("run", {"id": "run"}), ("clip", {"clip": "clip"}),
                           ("setting", {"encoder": "encoder", "setting": "setting"})):
            self.notes[kind] = [n for n in self.notes.get(kind, []) if any(
                all(n[k] == row[column] for k, column in keys.items()) for row in self.rows)]

    def drop_others(self, commit):
        """Drop rows of other commits, and their notes; return whether there were any."""
        of = {note["id"]: note["commit"] for note in self.notes.get("run", [])}
        kept = [row for row in self.rows if of.get(row["run"]) == commit]
        dropped = len(kept) < len(self.rows)
        if dropped:
            self.rows = kept
            self.prune()
        return dropped

    def line(self, row):
        return "\t".join(str(row.get(f, "")) for f in self.fields) + "\n"

    def write(self):
        with self.lock:
            with open(self.path + ".part", "w") as f:
                for kind in sorted(self.notes):
                    f.writelines(f"# {kind} {json.dumps(n, ensure_ascii=False)}\n"
                                 for n in self.notes[kind])
                f.write("\t".join(self.fields) + "\n")
                f.writelines(self.line(row) for row in self.rows)
            os.replace(self.path + ".part", self.path)

    def append(self, row):
        row = {f: str(row.get(f, "")) for f in self.fields}
        with self.lock:
            self.rows.append(row)
            with open(self.path, "a") as f:
                f.write(self.line(row))
