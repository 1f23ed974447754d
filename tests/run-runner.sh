#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/run.sh on suites made up here: whatever a suite does, a test that failed or did not run is
# counted as failed.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$(dirname "$0")/run.sh" "$scratch/"
cd "$scratch"
export LOG_DIR=$scratch/log

suite() { # NAME BODY: the script of a suite
    printf '#!/usr/bin/env bash\n%s\n' "$2" >"run-$1.sh"
    chmod +x "run-$1.sh"
}
suite good 'echo "ok one"; echo "a comment"; echo "skip two (why)"'
suite bad 'echo "ok one"; echo "not ok two (why)"'
suite fails 'echo "ok one"; exit 3'
suite silent 'echo "a comment"'
suite dies 'echo "ok one"; kill -9 $PPID; sleep 1'

# check NAME: whether the summary of what was run before has the lines that standard input has, in
# this order, the last one as its last, and the exit status in $expected
check() {
    local name=$1 status=0 line words at=0 found
    ./run.sh --summary >summary 2>&1 || status=$?
    mapfile -t lines <summary
    while IFS= read -r line; do
        found=
        while [ $at -lt ${#lines[@]} ]; do
            # Without the times and the width of columns.
            words=$(sed -E 's/ +/ /g; s/^([^ ]+) [0-9]+ [0-9]+( [0-9]+ [0-9]+ [0-9]+)$/\1\2/; s/\([0-9]+ s, [0-9]+ s of CPU/(TIME/' <<<"${lines[at]}")
            at=$((at + 1))
            if [ "$words" = "$line" ]; then found=yes; break; fi
        done
        [ -n "$found" ] || break
    done
    if [ -z "$found" ]; then
        echo "not ok $name (the summary lacks: $line)"
    elif [ $at -ne ${#lines[@]} ]; then
        echo "not ok $name (the summary goes on after: $line)"
    elif [ $status -ne "$expected" ]; then
        echo "not ok $name (exit status $status, not $expected)"
    else
        echo "ok $name"
        return
    fi
    sed 's/^/#   /' summary
}
run() { ./run.sh "$@" >>log/output 2>&1 || true; }

./run.sh --begin good
run good
expected=0 check passes <<'END'
suite seconds CPU s passed failed skipped
good 1 0 1
1 passed, 0 failed, 1 skipped
END

./run.sh --begin
run bad good
expected=1 check fails <<'END'
bad 1 1 0
good 1 0 1
not ok bad/two (why)
2 passed, 1 failed, 1 skipped
END

./run.sh --begin
run fails
expected=1 check fails-without-saying-so <<END
not ok fails (exit status 3, see $LOG_DIR/fails.err)
1 passed, 1 failed
END

./run.sh --begin
run silent
expected=1 check runs-no-test <<'END'
not ok silent (ran no test)
0 passed, 1 failed
END

# The suites before it are counted, it and those after it have failed.
./run.sh --begin
run good dies bad
run --prefix=other/ good
expected=1 check runner-dies <<'END'
good 1 0 1
other/good 1 0 1
not ok dies (the suite did not run to its end)
not ok bad (the suite did not run to its end)
2 passed, 2 failed, 2 skipped
END

./run.sh --begin good other/bad
run good
expected=1 check expected-suite-is-not-run <<'END'
not ok other/bad (the suite did not run to its end)
1 passed, 1 failed, 1 skipped
END

./run.sh --begin
run missing
expected=1 check suite-does-not-exist <<END
not ok missing (exit status 127, see $LOG_DIR/missing.err)
0 passed, 1 failed
END

./run.sh --begin
run good
run --failed other 'did not build'
expected=1 check failure-is-recorded <<'END'
not ok other (did not build)
1 passed, 1 failed, 1 skipped
END

./run.sh --begin
expected=1 check nothing-was-run <<'END'
0 passed, 0 failed
END

./run.sh --begin
run --within 60 quick ./run.sh good
expected=0 check within-its-time <<'END'
good 1 0 1
quick 1 0 0
2 passed, 0 failed, 1 skipped
END

./run.sh --begin
suite slow 'sleep 2; echo "ok one"'
run --within 0 quick ./run.sh slow
expected=1 check over-its-time <<'END'
not ok quick within 0 s (TIME)
1 passed, 1 failed
END
