#!/bin/bash
# Stands before the real virsh and misbehaves: once, at the verb and in the way that /run/virsh-fault says ("VERB KIND"); and every
# time on one connection as /run/virsh-fault-lasting says ("URI VERB KIND"). Also where it is asked line by line.
once=/run/virsh-fault
lasting=/run/virsh-fault-lasting
# virsh -q -c URI VERB …
uri=${3:-} verb=${4:-}

# The way in which it is to misbehave at this verb now, if any.
armed_at() {
  local verb kind on
  if [ -s "$once" ] && read -r verb kind < "$once" && [ "$verb" = "$1" ]; then
    : > "$once"
    echo "$kind"
  elif [ -s "$lasting" ] && read -r on verb kind < "$lasting" && [ "$on" = "$uri" ] && [ "$verb" = "$1" ]; then
    echo "$kind"
  fi
}

# The ways after which nothing more comes.
misbehave() {
  case $1 in
    hangs) exec sleep 600 ;;
    'answers late') "${@:2}" > /dev/null 2>&1; exec sleep 600 ;;
    floods) exec yes >&3 ;;
  esac
}

exec 3>&1
if [ -n "$verb" ]; then
  kind=$(armed_at "$verb")
  case $kind in
    '') exec /usr/bin/virsh "$@" ;;
    lies) exit 0 ;;
    'speaks another language') echo 'Fehler: Der Vorgang ist fehlgeschlagen' >&2; exit 1 ;;
    *) misbehave "$kind" /usr/bin/virsh "$@" ;;
  esac
fi

exec 4> >(exec /usr/bin/virsh -q -c "$uri" 3>&-)
virsh=$!
begun=
while :; do
  if IFS= read -r -t 0.2 line; then
    line=$begun$line
    begun=
    kind=
    if [ -s "$once" ] || [ -s "$lasting" ]; then kind=$(armed_at "${line%% *}"); fi
    case $kind in
      '') printf '%s\n' "$line" >&4 ;;
      # A line stands where the command would.
      lies) echo "echo ''" >&4 ;;
      'speaks another language') echo 'Fehler: Der Vorgang ist fehlgeschlagen' >&2; echo "echo ''" >&4 ;;
      *) misbehave "$kind" /usr/bin/virsh -q -c "$uri" "$line" ;;
    esac
  # Nothing came for a while, and the real one has ended, as where there is no libvirt: so does this.
  elif [ $? -gt 128 ]; then
    # Half a line may have come when the time was over.
    begun+=$line
    kill -0 "$virsh" 2> /dev/null || exit 1
  else exit 0
  fi
done
