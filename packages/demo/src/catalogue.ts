import { rescueSystem } from '@vps/shared/labels'
const hongKong = '香港 CN2'
const shanghai = '上海 BGP'
const tokyo = '东京 IIJ'
const singapore = '新加坡 NTT'
export const losAngeles = '洛杉矶 GIA'
export const asiaPacific = '亚太'
const china = '中国'
const singaporeCity = '新加坡'

export const plans = {
  hongKongStarter: '香港入门型',
  hongKongStandard: '香港标准型',
  shanghaiStandard: '上海标准型',
  shanghaiBackup: '上海备份型',
  tokyoLight: '东京轻量型',
  tokyoCompute: '东京计算型',
  singaporeStandard: '新加坡标准型',
  losAngelesOwn: '洛杉矶独享型',
} as const

/** Prices in yuan. */
export const categories = [
  { name: '云服务器', description: '通用型 KVM 云服务器，分钟级交付', groups: [hongKong, shanghai] },
  { name: '高性能云', description: '高主频处理器与 NVMe 存储', groups: [tokyo, singapore] },
  { name: '物理服务器', description: '独享整机资源', groups: [losAngeles] },
] as const

export const groups = {
  [hongKong]: { region: asiaPacific, country: china, city: '香港', description: '三网直连回国，延迟低' },
  [shanghai]: { region: '华东', country: china, city: '上海', description: '国内多线 BGP 机房' },
  [tokyo]: { region: asiaPacific, country: '日本', city: '东京', description: '软银与 IIJ 双线接入' },
  [singapore]: { region: '东南亚', country: singaporeCity, city: singaporeCity, description: '覆盖东南亚业务' },
  [losAngeles]: { region: '北美', country: '美国', city: '洛杉矶', description: 'CN2 GIA 优质线路' },
} as const
/** The demo measures this machine: it has no other. */
export const places = `香港，22.3，114.2，/favicon.svg
上海，31.2，121.5，/favicon.svg
东京，35.7，139.7，/favicon.svg
新加坡，1.35，103.8，/favicon.svg
洛杉矶，34.05，-118.2，/favicon.svg`

export type GroupName = keyof typeof groups

export const images = [
  { osName: 'Debian', osVersion: '12', file: 'debian-12.qcow2', minDiskGb: 5 },
  { osName: 'Ubuntu', osVersion: '22.04 LTS', file: 'ubuntu-22.04.qcow2', minDiskGb: 5 },
  { osName: 'Ubuntu', osVersion: '24.04 LTS', file: 'ubuntu-24.04.qcow2', minDiskGb: 5 },
  { osName: 'CentOS Stream', osVersion: '9', file: 'centos-stream-9.qcow2', minDiskGb: 10 },
  { osName: 'Rocky Linux', osVersion: '9', file: 'rocky-9.qcow2', minDiskGb: 10 },
  { osName: rescueSystem, osVersion: '1', file: 'rescue.qcow2', minDiskGb: 4, kind: 'rescue' },
  { osName: 'Debian', osVersion: '12 安装光盘', file: 'debian-12-netinst.iso', minDiskGb: 1, kind: 'iso' },
  { osName: 'SystemRescue', osVersion: '11', file: 'systemrescue-11.iso', minDiskGb: 1, kind: 'iso' },
] as const

const structured = (cpu: number, memory: number, disk: number, speed: number) =>
  JSON.stringify({
    cpu_cores: cpu,
    memory,
    disk_space: disk,
    network_speed: speed,
    ip_count: 1,
    operating_system: [
      { name: 'Debian', versions: ['12'] },
      { name: 'Ubuntu', versions: ['22.04 LTS', '24.04 LTS'] },
    ],
  })

const html = (title: string, points: string[]) =>
  `<h2>${title}</h2><ul>${points.map((point) => `<li>${point}</li>`).join('')}</ul><p>所有套餐均提供 7x24 技术支持与 7 天退款保障。</p>`

/** In yuan a month. */
export const backups = { backupRate: 5, mostBackups: 7 }

/** A simulated host writes nothing there. */
export const repositoryUrl = '/var/lib/vps-backups'

type PriceGroup = {
  name: string
  group: GroupName
  description: string
  /** Hourly, daily, monthly, quarterly, semi-annual, annual. */
  prices: [number, number, number, number, number, number]
  /** Monthly, per extra unit. */
  rates?: Record<'cpuRate' | 'memoryRate' | 'storageRate' | 'bandwidthRate' | 'ipRate', number>
  page?: string
  discount?: number
}

export const priceGroups: PriceGroup[] = [
  {
    name: plans.hongKongStarter,
    group: hongKong,
    description: '1 核 1 GB，适合个人网站',
    prices: [0.08, 1.5, 29, 83, 158, 298],
    page: structured(1, 1, 20, 5),
  },
  {
    name: plans.hongKongStandard,
    group: hongKong,
    description: '2 核 4 GB 起，按需选配',
    prices: [0.2, 3.8, 79, 228, 439, 799],
    rates: { cpuRate: 20, memoryRate: 12, storageRate: 3, bandwidthRate: 8, ipRate: 25 },
    page: html(plans.hongKongStandard, ['三网直连，平均延迟 35 ms', 'SSD 阵列存储', '可选配至 32 核 128 GB']),
    discount: 15,
  },
  {
    name: plans.shanghaiStandard,
    group: shanghai,
    description: '2 核 4 GB 起，国内多线',
    prices: [0.22, 4.2, 88, 255, 488, 880],
    rates: { cpuRate: 22, memoryRate: 14, storageRate: 3.5, bandwidthRate: 15, ipRate: 30 },
    page: html(plans.shanghaiStandard, ['电信、联通、移动三线 BGP', '适合企业官网与业务系统']),
  },
  {
    name: plans.shanghaiBackup,
    group: shanghai,
    description: '1 核 2 GB，大容量存储',
    prices: [0.15, 2.9, 59, 172, 335, 620],
    page: structured(1, 2, 500, 10),
  },
  {
    name: plans.tokyoLight,
    group: tokyo,
    description: '2 核 2 GB，高主频',
    prices: [0.12, 2.4, 49, 142, 272, 499],
    page: structured(2, 2, 40, 20),
    discount: 20,
  },
  {
    name: plans.tokyoCompute,
    group: tokyo,
    description: '高主频处理器，NVMe 存储',
    prices: [0.45, 8.8, 188, 538, 1028, 1888],
    rates: { cpuRate: 30, memoryRate: 15, storageRate: 4, bandwidthRate: 10, ipRate: 30 },
    page: html(plans.tokyoCompute, ['3.8 GHz 高主频', 'NVMe 固态存储', '软银与 IIJ 双线']),
  },
  {
    name: plans.singaporeStandard,
    group: singapore,
    description: '2 核 4 GB 起，覆盖东南亚',
    prices: [0.21, 4, 85, 246, 472, 859],
    rates: { cpuRate: 22, memoryRate: 13, storageRate: 3, bandwidthRate: 9, ipRate: 28 },
    page: html(plans.singaporeStandard, ['NTT 直连', '适合出海业务']),
  },
  {
    name: plans.losAngelesOwn,
    group: losAngeles,
    description: '8 核 16 GB，整机独享带宽',
    prices: [1.2, 24, 520, 1490, 2880, 5280],
    rates: { cpuRate: 35, memoryRate: 18, storageRate: 4, bandwidthRate: 12, ipRate: 35 },
    page: html(plans.losAngelesOwn, ['CN2 GIA 线路', '独享 100 Mbps 带宽']),
  },
]
