# Shared by the checks: counting, and running gx over folders of scripts. Sourced from the top
# folder of the working copy.
passed=0
failed=0

pass() {
    passed=$((passed + 1))
}

# fail TEXT…: one failed test.
fail() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}

# within SECONDS COMMAND…: a command may take so many seconds of a processor (exit status 152 beyond
# them), however busy the machine is; by the wall it gets 60 times that, for what waits for ever (124).
within() {
    local seconds=$1
    shift
    (
        ulimit -t "$seconds"
        exec timeout $((seconds * 60)) "$@"
    )
}
export -f within

# expect NAME COMMAND…: one test by its exit status; its output is shown when it fails.
expect() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        pass
    else
        fail "$name"
        printf '%s\n' "$output" | tail -n 40
    fi
}

# add_tally NAME COMMAND…: runs a command that ends with `N passed, N failed` and adds its numbers.
add_tally() {
    local name=$1 output status tally p f
    shift
    output=$("$@" 2>&1)
    status=$?
    tally=$(printf '%s\n' "$output" | tail -n 1 | grep -aoE '[0-9]+ passed, [0-9]+ failed$')
    if [ -z "$tally" ]; then
        fail "$name: no tally, exit status $status"
        printf '%s\n' "$output" | tail -n 20
        return
    fi
    p=${tally%% *} f=${tally#*, } f=${f%% *}
    if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
    passed=$((passed + p)) failed=$((failed + f))
    if [ "$f" -ne 0 ]; then
        echo "FAILED: $name: $tally, exit status $status"
        printf '%s\n' "$output" | tail -n 60
    else
        echo "$name: $p passed"
    fi
}

# folders NAME…: those of the named folders that hold a script or a table of cases.
folders() {
    local folder
    for folder in "$@"; do
        if [ -n "$(find "$folder" \( -name '*.gx' -o -name '*.cases' \) -print -quit 2>/dev/null)" ]; then
            echo "$folder"
        fi
    done
}

# summary: prints the tally and ends the check.
summary() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}
