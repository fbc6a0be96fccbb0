import * as labels from './labels.js'

export const findingKinds: Record<string, { name: string; advice: string }> = {
  'stray-domain': { name: '多余的虚拟机', advice: '宿主机上有一台系统不认识的虚拟机。确认无用后在宿主机上删除它。' },
  'stray-volume': {
    name: '多余的磁盘',
    advice: '宿主机上有一个不属于任何服务器的磁盘文件。确认无用后在宿主机上删除它。',
  },
  'missing-domain': {
    name: '缺失的虚拟机',
    advice:
      '应当在这台宿主机上的虚拟机不见了，电源状态未知。磁盘还在时重新定义即可恢复；磁盘已丢失时与客户确认后重装系统，或为订单退款。',
  },
  'changed-domain': {
    name: '被改动的虚拟机',
    advice: '虚拟机在系统之外被改动或替换。重新定义，使其恢复为系统记录的样子；磁盘被替换时与客户确认后重装系统。',
  },
  'changed-disk': {
    name: '被改动的磁盘',
    advice:
      '虚拟机的磁盘大小与系统记录不符。磁盘只能扩大：与客户确认后为其升级订单，使记录相符；或重装系统，得到订单所定大小的新磁盘。',
  },
  'changed-snapshots': {
    name: '快照与记录不符',
    advice:
      '磁盘中的快照与系统记录不符：缺少的不能再恢复，请客户在控制台删除其记录；多出的占用空间，确认无用后在关机状态下用 qemu-img snapshot -d 删除。',
  },
  'changed-rescue': {
    name: '救援模式与记录不符',
    advice:
      '虚拟机定义的启动磁盘与系统记录的救援模式不符，可能是有人在宿主机上改动过。请重新定义该虚拟机，使其与记录相符，下次启动时生效；客户的磁盘不会改动。',
  },
  'changed-iso': {
    name: '光盘与记录不符',
    advice:
      '虚拟机定义的光驱内容与系统记录不符，可能是有人在宿主机上改动过。请重新定义该虚拟机，使其与记录相符，下次启动时生效；客户的磁盘不会改动。',
  },
  'changed-firewall': {
    name: '防火墙与记录不符',
    advice:
      '宿主机上生效的防火墙规则不是用户最后保存的规则。重新应用即恢复一致；仍不相符时，请确认宿主机上的 nftables 可用。',
  },
  'changed-autostart': {
    name: '被改动的自动启动',
    advice:
      '虚拟机是否随宿主机启动与它最后一次操作的结果不符：宿主机重启后，它会多余地启动，或不再启动。在宿主机上用 virsh autostart 改回（不应启动的加 --disable）。',
  },
  'unreadable-domain': {
    name: '无法读取的虚拟机',
    advice: '这台虚拟机的定义无法读取，因此不知道它是什么；其他虚拟机不受影响。请在宿主机上检查它的定义。',
  },
  'hung-domain': {
    name: '没有响应的虚拟机',
    advice:
      '这台虚拟机的 QEMU 进程没有响应，电源状态未知；同一宿主机上的其他虚拟机不受影响。先检查宿主机的存储，无法恢复时强制关机后再启动。',
  },
  'crashed-domain': {
    name: '崩溃的虚拟机',
    advice:
      '这台虚拟机的 QEMU 进程意外退出。系统会自动重新启动，10 分钟内最多 3 次；反复出现时检查宿主机的内存和日志。',
  },
  'paused-domain': {
    name: '被暂停的虚拟机',
    advice: '这台虚拟机在系统之外被暂停。确认原因后，从服务器控制台启动即可继续运行。',
  },
  'io-error-domain': {
    name: '磁盘读写出错',
    advice: '虚拟机的磁盘无法读写，已暂停运行；宿主机不再接受新的服务器。修复存储后，从服务器控制台启动即可继续运行。',
  },
  'disk-full-domain': {
    name: '存储空间已满',
    advice:
      '宿主机的存储已写满，虚拟机已暂停运行；宿主机不再接受新的服务器。腾出空间后，从服务器控制台启动即可继续运行。',
  },
  'transient-domain': {
    name: '没有定义的虚拟机',
    advice: '虚拟机仍在运行，但定义已被删除，关机后就会消失。请重新定义。',
  },
  'foreign-domain': {
    name: '同名的虚拟机',
    advice: '宿主机上有一台不属于本系统的虚拟机占用了这台服务器的名称，重装会被拒绝。请在宿主机上将它改名或删除。',
  },
  'broken-image': {
    name: '损坏的镜像',
    advice: '宿主机上的镜像文件已损坏，不再用它安装服务器。请重新放入完整的文件。',
  },
  'unbootable-image': {
    name: '无法启动的镜像',
    advice:
      '用此镜像安装的系统没有启动，它在这台宿主机上已停售；两台宿主机都如此时全部停售。更换镜像文件后自动恢复；确认是宿主机的原因并排除后，标记为已处理即恢复销售。',
  },
  'libvirt-away': {
    name: 'libvirt 没有响应',
    advice: '代理无法连接宿主机上的 libvirt：任务等待，不会失败；恢复后自动继续。请在宿主机上检查 libvirtd。',
  },
  'network-away': {
    name: '网络不存在',
    advice: '宿主机上没有虚拟机所用的网桥或网络：任务等待，不会失败；恢复后自动继续。请在宿主机上检查网络设置。',
  },
  'state-away': {
    name: '代理无法写入',
    advice:
      '宿主机上的代理无法写入 STATE_DIR，多半是磁盘已满：任务等待，不会失败；恢复后自动继续。请在宿主机上腾出磁盘空间或修复文件系统。',
  },
  'changed-base': {
    name: '被改动的底版',
    advice:
      '宿主机上 base 文件夹中的镜像副本被写入，与其名称中的 SHA-256 不符，依赖它的磁盘可能已损坏；对应镜像在此宿主机上已停售。用原来的镜像文件还原它，或为受影响的服务器重装系统。',
  },
  'no-address-guard': {
    name: '地址不受限',
    advice:
      '宿主机上既没有可用的 libvirt nwfilter，也没有可用的 nftables：虚拟机可以冒用同一网桥上其他虚拟机的地址。请在宿主机上安装 nftables 与 ebtables 后重启代理。',
  },
  'no-bandwidth-limit': {
    name: '带宽不受限',
    advice:
      '宿主机的内核缺少限速所需的模块，售出的带宽上限不起作用，虚拟机可以用满网卡。请换用带有 sch_htb、sch_sfq 与 act_police 的内核后重启代理。',
  },
  'no-port-forwarding': {
    name: '不能转发端口',
    advice:
      '宿主机使用 NAT 池，但不能转发端口：代理版本过旧，宿主机上的 nftables 不支持地址转换，net.ipv4.ip_forward 为 0 且代理无权开启，或 NAT 池的网关不是宿主机网桥上的地址（见详情）。在此期间不会从 NAT 池售出服务器。请更新代理、安装 nftables 并重启代理，或按代理文档设置网桥与转发。',
  },
  'unguarded-domain': {
    name: '可冒用地址的虚拟机',
    advice: '这台虚拟机运行时没有地址过滤，可以冒用其他地址。与客户约定时间后重启服务器，过滤即生效。',
  },
  'vlan-removed': {
    name: '已取消的 VLAN',
    advice:
      '此 IP 池或宿主机曾设置 VLAN，这一设置从未在真实宿主机上生效，现已取消；IP 池已从宿主机移除，宿主机已排空。请在宿主机上为该 VLAN 建立网桥，在 IP 池中填写网桥名称，再恢复使用并标记为已处理。',
  },
  'many-differences': {
    name: '差异过多',
    advice: '宿主机一次报告了过多的差异，只记录了其中一部分。先检查代理与存储文件夹是否指向了正确的位置。',
  },
  'paid-twice': {
    name: labels.paidTwice,
    advice:
      '同一笔充值在网关收到了第二次付款，只入账一次。与客户确认后，把多付的金额转入其余额；或在网关后台原路退款，然后标记为已处理。',
  },
  'mismatched-payment': {
    name: labels.mismatchedPayment,
    advice:
      '网关确认收到付款，但金额或支付方式与充值记录不同，其交易号已属于另一笔充值，或这笔充值没有记录（例如恢复备份之后），没有入账。请在网关后台核对实收金额，为客户调整余额或原路退款，然后标记为已处理。',
  },
  brake: {
    name: '自动操作已停下',
    advice:
      '一小时内到期释放或超时退款的订单超过了设定的数量，或刚恢复过备份，系统已停下，等待您确认。先检查时钟、数据库与宿主机；恢复备份之后，先处理在备份之后续费或开通、却显示为已到期或安装中的订单。确认属实后点击继续，一小时内不再拦截。',
  },
  'wrong-clock': {
    name: '时钟不准',
    advice:
      '这个进程的时钟与数据库相差超过 5 秒：它不再执行定时任务，并报告未就绪，使负载均衡不再把请求交给它；仍收到的请求按数据库的时间处理。请校准该机器的时钟，恢复后自动消失。',
  },
  'unreadable-secret': {
    name: '无法解密的密码',
    advice:
      'APP_SECRET 中没有能打开这个密码的密钥，任务已失败，同一宿主机上的其他任务不受影响。补上原来的密钥后重试任务，或为服务器重置密码。',
  },
  'late-backup': {
    name: '备份逾期',
    advice:
      '这台服务器已超过两个周期没有完整的定时备份。请在任务中查看备份失败的原因，检查备份存储是否可用、宿主机是否在线；下一次备份成功后自动消失。',
  },
  'unchecked-backup': {
    name: '备份久未检查',
    advice:
      '这台服务器的备份已超过两周没有完成每周检查。请在任务中查看检查失败的原因，检查备份存储是否可用、宿主机是否在线；下一次检查通过后自动消失。',
  },
  'damaged-backup': {
    name: '备份已损坏',
    advice:
      '每周检查发现这台服务器的备份不完整，可能无法恢复。请检查备份存储的磁盘；restic 的原话在详情中。确认无法修复时请与客户确认后删除旧备份并重新备份。每天会再检查一次，通过后自动消失。',
  },
  'second-agent': {
    name: '重复的代理',
    advice:
      '另一个代理用同一宿主机的身份连接，已被拒绝并在等待；先连接的代理照常工作。停掉多余的代理，或为它所在的机器单独登记宿主机。',
  },
  'lost-servers': {
    name: '丢失的服务器',
    advice:
      '这台宿主机已宣告丢失，其上仍有订单：它们不再收费，也不会自行结束。在宿主机的页面上处理它们：在其他宿主机上重建，或退回未用时间的费用。全部处理后自动消失。',
  },
  'shrunk-host': { name: '容量变小', advice: '宿主机报告的容量小于已分配的资源。恢复硬件，或排空宿主机。' },
}

/** Others are shown as written. */
export const findingName = ({ kind }: { kind: string }): string => findingKinds[kind]?.name ?? kind

export const findingNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(findingKinds).map(([kind, { name }]) => [kind, name]),
)
