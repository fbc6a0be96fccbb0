#!/bin/bash
# Stands before the real virsh and misbehaves once, at the verb and in the way that /run/virsh-fault says ("VERB KIND").
fault=/run/virsh-fault
# virsh -q -c URI VERB …
verb=${4:-}
if [ -s "$fault" ] && read -r armed kind < "$fault" && [ "$armed" = "$verb" ]; then
  : > "$fault"
  case $kind in
    hangs) exec sleep 600 ;;
    'answers late') /usr/bin/virsh "$@" > /dev/null 2>&1; exec sleep 600 ;;
    lies) exit 0 ;;
    'speaks another language') echo 'Fehler: Der Vorgang ist fehlgeschlagen' >&2; exit 1 ;;
    floods) exec yes ;;
  esac
fi
exec /usr/bin/virsh "$@"
