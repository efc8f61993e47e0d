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
        printf '%s\n' "$output" | grep -a -B 2 -A 6 '^    actual: ' | head -n 60
        printf '%s\n' "$output" | tail -n 30
    else
        echo "$name: $p passed"
    fi
}

# beside NAME COMMAND…: as add_tally, begun now, two at a time, each in an empty folder of its own, as
# tests write files of fixed names; `join` waits for all and adds their numbers, in order.
beside_names=()
beside() {
    local at=${#beside_names[@]} name=$1
    shift
    [ "$at" -gt 0 ] || beside_work=$(mktemp -d)
    beside_names+=("$name")
    mkdir "$beside_work/$at"
    wait_for_fewer_than 2
    (
        cd "$beside_work/$at" || exit
        "$@" >"$beside_work/$at.log" 2>&1 </dev/null
        echo $? >"$beside_work/$at.status"
    ) &
}

# beside_halves NAME COMMAND… -- FILE…: the command with every other file, and with the others.
beside_halves() {
    local name=$1 command=() at files half
    shift
    while [ "$1" != -- ]; do
        command+=("$1")
        shift
    done
    shift
    for half in 0 1; do
        files=()
        for ((at = 1 + half; at <= $#; at += 2)); do files+=("${!at}"); done
        [ ${#files[@]} -eq 0 ] || beside "$name, half $((half + 1))" "${command[@]}" "${files[@]}"
    done
}

# A job that a check keeps in `busy` does not count.
wait_for_fewer_than() {
    while [ "$(jobs -rp | grep -cvx "${busy:-none}")" -ge "$1" ]; do sleep 0.1; done
}

join() {
    local at
    wait_for_fewer_than 1
    replay() {
        cat "$beside_work/$1.log"
        return "$(cat "$beside_work/$1.status")"
    }
    for at in "${!beside_names[@]}"; do add_tally "${beside_names[at]}" replay "$at"; done
    [ ${#beside_names[@]} -eq 0 ] || rm -rf "$beside_work"
    beside_names=()
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
