#!/bin/bash
# Stands before the real virsh and misbehaves: once, at the verb and in the way that /run/virsh-fault says ("VERB KIND"); and every
# time on one connection as /run/virsh-fault-lasting says ("URI VERB KIND").
once=/run/virsh-fault
lasting=/run/virsh-fault-lasting
# virsh -q -c URI VERB …
uri=${3:-} verb=${4:-}
misbehave() {
  case $1 in
    hangs) exec sleep 600 ;;
    'answers late') /usr/bin/virsh "${@:2}" > /dev/null 2>&1; exec sleep 600 ;;
    lies) exit 0 ;;
    'speaks another language') echo 'Fehler: Der Vorgang ist fehlgeschlagen' >&2; exit 1 ;;
    floods) exec yes ;;
  esac
}
if [ -s "$once" ] && read -r armed kind < "$once" && [ "$armed" = "$verb" ]; then
  : > "$once"
  misbehave "$kind" "$@"
fi
if [ -s "$lasting" ] && read -r on armed kind < "$lasting" && [ "$on" = "$uri" ] && [ "$armed" = "$verb" ]; then
  misbehave "$kind" "$@"
fi
exec /usr/bin/virsh "$@"
