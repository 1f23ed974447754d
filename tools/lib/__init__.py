# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Modules that several folders of tools/ share.

A program imports them as "from lib import table": Python looks for modules in the program's own
folder, and the folders of programs that need this package have a link to it.
"""
