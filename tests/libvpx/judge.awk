# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Reads the files so-off.list and so-on.list, the tests that run with libvpx.so, then the
# logs VARIANT-PART.log of libvpx's tests, those of the variant stock first. Prints the results of the
# other variants for each test.

function set_result(name, result) {
    if (!((variant, name) in results) && variant == "stock") names[++n] = name
    results[variant, name] = result
    where[variant, name] = FILENAME
    running = ""
}

FNR == 1 {
    variant = FILENAME
    sub(/.*\//, "", variant)
    part = variant
    sub(/-[^-]*$/, "", variant)
    sub(/.*-/, "", part)
    sub(/\.(log|list)$/, "", part)
    running = ""
    failed = 0
}
FILENAME ~ /\.list$/          { listed["so-" part, $1]; next }
/^\[ RUN      \] /             { running = $4; next }
/^\[       OK \] /             { set_result($4, "passes"); next }
/^\[  SKIPPED \] .* ms\)$/     { sub(/,$/, "", $4); set_result($4, "skips"); next }
/^\[  FAILED  \] .* ms\)$/     { sub(/,$/, "", $4); set_result($4, "fails"); failed = 1; next }
$1 == "STREAM"                 { streams[variant, $2] = $3; next }
$1 == "PROVIDER" {
    encoders[variant] += $2
    frames[variant] += $3
    first_pass[variant] += $4
    next
}
# A test that began and did not end crashed the program. A suite may fail after its last test.
$1 == "EXIT" {
    if (running != "") set_result(running, "died with status " $2)
    else set_result("part-" part, $2 && !failed ? "fails" : "passes")
}

function is_off(variant) { return variant ~ /off$/ }
function is_shared(variant) { return variant ~ /^so-/ }

function report(variant, name,    result, label) {
    if (is_shared(variant) && !((variant, name) in listed) && name !~ /^part-/) return
    result = (variant, name) in results ? results[variant, name] : "did not run"
    label = variant "/" name
    if (results["stock", name] == "skips")
        print "skip " label " (skipped by libvpx)"
    else if (results["stock", name] != "passes")
        print "skip " label " (fails with stock libvpx on this stand-in; here it " result ")"
    else if (result != "passes")
        print "not ok " label " (" result ", see " where[variant, name] ")"
    else if (is_off(variant) && streams["stock", name] != streams[variant, name])
        print "not ok " label " (another stream than stock libvpx, see " where[variant, name] ")"
    # If a test opens no encoder, "on" has no provider to test. A part is not a test.
    else if (name !~ /^part-/ && (is_off(variant) || streams["stock", name] != ""))
        print "ok " label
}

END {
    for (i = 1; i <= n; i++) {
        if (names[i] !~ /^part-/) {
            tests++
            passed += results["stock", names[i]] == "passes"
        }
        compared += streams["stock", names[i]] != ""
        differ += streams["stock", names[i]] != streams["on", names[i]]
        if (("so-on", names[i]) in listed) {
            in_shared++
            so_differ += streams["so-on", names[i]] != "" && streams["stock", names[i]] != streams["so-on", names[i]]
        }
        report("off", names[i])
    }
    for (i = 1; i <= n; i++) report("on", names[i])
    for (i = 1; i <= n; i++) report("so-off", names[i])
    for (i = 1; i <= n; i++) report("so-on", names[i])
    print "# stock passes " passed " of " tests ", " compared " have streams, on " differ " differ"
    print "# provider: " encoders["on"] " encoders, " frames["on"] " frames, " \
        first_pass["on"] " frames of first passes"
    served = encoders["on"] && frames["on"] && first_pass["on"] && differ && !encoders["off"]
    print "# libvpx.so: " in_shared + 0 " tests, on " so_differ + 0 " of them other streams than stock's"
    print (so_differ ? "ok so-provider" : "not ok so-provider (all streams are stock's)")
    print (served ? "ok provider" : "not ok provider (served nothing)")
}
