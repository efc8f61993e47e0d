# Hides the module queue for the scripts of this folder.
WHOSE = "this folder"
