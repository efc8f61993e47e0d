# Joins two runs of lines.py (gx's and CuPy's) and one of torch_lines.py into a Markdown table:
# table.py GX CUPY [TORCH]. The share of the floor is taken at 4.3 TB/s, what a copy on an H200
# reaches.
import sys

TB_S = 4.3


def read(path):
    rows = {}
    for text in open(path):
        parts = text.rstrip("\n").split("|")
        if len(parts) == 4:
            rows[parts[0]] = parts[1:]
    return rows


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


ours, theirs = read(sys.argv[1]), read(sys.argv[2])
torch = read(sys.argv[3]) if len(sys.argv) > 3 else {}
print("| work | gx ms | CuPy ms | torch.compile ms | CuPy / gx | reached | of the floor |")
print("|---|--:|--:|--:|--:|--:|--:|")
slower = failed = 0
for name, (text, size, flops) in ours.items():
    mine, peer = number(text), number(theirs.get(name, ["-"])[0])
    reached = floor = ratio = ""
    if mine is None:
        failed += 1
        print(f"| {name} | {text} | {theirs.get(name, ['-'])[0]} | | | | |")
        continue
    if int(size):
        reached = f"{int(size) / mine / 1e6:.0f} GB/s"
        floor = f"{int(size) / mine / 1e7 / TB_S:.0f} %"
    elif int(flops):
        reached = f"{int(flops) / mine / 1e9:.1f} TFLOP/s"
    if peer is not None:
        ratio = f"{peer / mine:.2f}"
        slower += peer / mine < 0.97
    third = number(torch.get(name, ["-"])[0])
    print(f"| {name} | {mine:.3f} | {'-' if peer is None else f'{peer:.3f}'} "
          f"| {'' if third is None else f'{third:.3f}'} | {ratio} | {reached} | {floor} |")
print()
print(f"{len(ours)} lines, {slower} slower than CuPy, {failed} failed or wrong")
