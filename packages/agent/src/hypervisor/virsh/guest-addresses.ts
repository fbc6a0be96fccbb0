/** Addresses for a guest that was set up without them; plain sh for whatever system is inside. */

const list = '/etc/vps-addresses'
const script = '/usr/local/sbin/vps-addresses'
const unit = '/etc/systemd/system/vps-addresses.service'

/** At each boot, on the port with its MAC. What is there stays. */
const addAll = `#!/bin/sh
# Adds the addresses that the host has listed in ${list}: MAC address and CIDR, one a line.
[ -r ${list} ] || exit 0
while read -r mac cidr; do
  for port in /sys/class/net/*; do
    [ "$(cat "$port/address")" = "$mac" ] || continue
    ip address add "$cidr" dev "\${port##*/}" 2>/dev/null
    break
  done
done < ${list}
exit 0
`

/** After each configuration of the network, which removes the unknown. */
const service = `[Unit]
Description=Add the addresses that the host has listed
Wants=network-online.target
After=network-online.target
PartOf=systemd-networkd.service NetworkManager.service networking.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${script}
[Install]
WantedBy=multi-user.target
`

/**
 * Removes what is not listed any more. Kept by systemd, OpenRC, or an init that finds the script itself. Ends with 0
 * where all are there. No single quote: see `guest.ts`.
 */
export function keepAddresses(mac: string, addresses: readonly { address: string; prefix: number }[]): string {
  const cidrs = addresses.map(({ address, prefix }) => `${address}/${prefix}`)
  return `export PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin
mkdir -p ${script.slice(0, script.lastIndexOf('/'))} || exit 1
cat > ${list}.new <<"END" || exit 1
${cidrs.map((cidr) => `${mac} ${cidr}\n`).join('')}END
if [ -r ${list} ]; then
  while read -r mac cidr; do
    grep -q -x -F "$mac $cidr" ${list}.new || for port in /sys/class/net/*; do
      [ "$(cat "$port/address")" != "$mac" ] || ip address del "$cidr" dev "\${port##*/}" 2>/dev/null
    done
  done < ${list}
fi
mv ${list}.new ${list} || exit 1
cat > ${script} <<"END" || exit 1
${addAll}END
chmod 755 ${script}
${script}
if [ -d /run/systemd/system ]; then
  cat > ${unit} <<"END" || exit 1
${service}END
  systemctl daemon-reload && systemctl enable -q vps-addresses.service && systemctl restart vps-addresses.service || exit 1
elif command -v rc-update >/dev/null 2>&1; then
  ln -sf ${script} /etc/local.d/vps-addresses.start && rc-update -q add local default || exit 1
fi
sync
for cidr in ${cidrs.join(' ')}; do ip -o address show | grep -q -F " $cidr " || exit 1; done
exit 0`
}
