import type { Readiness } from './jobs.js'
import * as text from './text.js'
import { startOfShanghaiDay, shanghaiDay } from './time.js'

/** Copies of disks, kept elsewhere (decision 0104). */

export const backupOrigins = ['MANUAL', 'SCHEDULE'] as const
export type BackupOrigin = (typeof backupOrigins)[number]

export const backupOriginNames: Record<BackupOrigin, string> = { MANUAL: '手动备份', SCHEDULE: '定时备份' }

/** `QUEUED` also while another on its host is backed up; `DELETING` until its host has forgotten it. */
export const backupStates = ['QUEUED', 'RUNNING', 'READY', 'FAILED', 'DELETING'] as const
export type BackupState = (typeof backupStates)[number]

export const isUnderWay = (state: BackupState) => state === 'QUEUED' || state === 'RUNNING'

export const backupFrequencies = ['daily', 'weekly'] as const
export type BackupFrequency = (typeof backupFrequencies)[number]

/** Asia/Shanghai; 1: Monday, null: every day. */
export type BackupSchedule = { frequency: BackupFrequency; hour: number; weekday: number | null }

/** Of an ended server, as the terms say. */
export const backupKeptDays = 7

export const backupRetryMinutes = 60

/** Without a whole one so long, an operator is told. */
const latePeriods = 2

const dayMs = 86_400_000
const periodMs: Record<BackupFrequency, number> = { daily: dayMs, weekly: 7 * dayMs }

/** Each server has its own minute, by its id: not all of a host are read at once. */
export function nextBackup({ hour, weekday }: BackupSchedule, serverId: string, after: Date): Date {
  const minute = Number.parseInt(serverId.slice(-8), 16) % 60
  const today = startOfShanghaiDay(shanghaiDay(after)).getTime()
  const days = Array.from({ length: 8 }, (_, ahead) => new Date(today + ahead * dayMs + (hour * 60 + minute) * 60_000))
  const due = days.find((at) => at > after && (weekday === null || weekdayOf(at) === weekday))
  if (!due) throw new Error(`no weekday ${weekday}`)
  return due
}

const weekdayOf = (at: Date): number => new Date(`${shanghaiDay(at)}T00:00:00Z`).getUTCDay() || 7

/** From then the last whole one is too old. */
export const lateFrom = ({ frequency }: Pick<BackupSchedule, 'frequency'>, whole: Date): Date =>
  new Date(whole.getTime() + latePeriods * periodMs[frequency])

/** `used` take a place, `manual` of them by hand; `most` were bought. */
export type BackupPlaces = { most: number; used: number; manual: number; isScheduled: boolean; isStored: boolean }

/** Null, or a disabled button's sentence. */
export const backupCan = {
  /** By hand. */
  create: (places: BackupPlaces) => {
    const { most, used, manual, isScheduled } = places
    const reason = notKept(places)
    if (reason) return reason
    if (used >= most) return `最多保留 ${most} 个备份，请先删除不需要的`
    if (isScheduled && manual >= most - 1) return '需为定时备份保留一个位置，请先删除一个手动备份'
    return null
  },
  schedule: (places: BackupPlaces) => {
    const { most, manual } = places
    return notKept(places) ?? (manual < most ? null : '手动备份已占满全部位置，请先删除一个')
  },
  restore: (state: BackupState, lacksFirmware = false) => (state !== 'READY' ? unready : lacksFirmware ? noUefi : null),
  /** Over the owner's other server, with a disk of so many GB, where a login can be proven. */
  restoreElsewhere: ({ state, diskGb, readiness, isMovable, lacksFirmware }: Moved, roomGb: number) => {
    if (state !== 'READY') return unready
    if (lacksFirmware) return noUefi
    if (readiness !== 'ssh') return '该备份的系统只能恢复到原服务器'
    if (isMovable === false) return '备份时系统中没有可用的客户机代理，只能恢复到原服务器'
    return diskGb > roomGb ? `这台服务器的磁盘小于备份的 ${diskGb} GB，请先升级配置` : null
  },
  remove: (state: BackupState) => {
    if (state === 'DELETING') return '备份正在删除'
    return isUnderWay(state) ? text.backupUnderWay : null
  },
}

/** `lacksFirmware`: of the host that it would come back on. */
type Moved = {
  state: BackupState
  diskGb: number
  readiness: Readiness
  isMovable: boolean | null
  lacksFirmware: boolean
}

const noUefi = '该备份的系统需要 UEFI 固件，这台服务器所在的宿主机没有'
const unready = '备份尚未完成或正在删除'

const notKept = ({ most, isStored }: BackupPlaces) => {
  if (most === 0) return '该服务器没有购买备份'
  return isStored ? null : text.noBackupStorage
}

export const repositoryKinds = ['folder', 'sftp', 's3', 'rest'] as const
export type RepositoryKind = (typeof repositoryKinds)[number]

/** By its address, as restic takes it, without names and passwords; null: none. */
export function repositoryKind(url: string): RepositoryKind | null {
  if (/^\/(?!.*\/\.\.?(\/|$))[^\s]+$/.test(url)) return 'folder'
  if (/^sftp:(\/\/)?[\w.-]+@[\w.-]+[:/][^\s]+$/.test(url)) return 'sftp'
  if (/^s3:(https?:\/\/)?[\w.-]+(:\d+)?\/[^\s/@?#][^\s@?#]*$/.test(url)) return 's3'
  if (/^rest:https?:\/\/[\w.-]+(:\d+)?(\/[^\s@?#]*)?$/.test(url)) return 'rest'
  return null
}

/** S3's keys, or a REST server's login. SFTP has the host's key. */
export const asksForLogin = (kind: RepositoryKind | null): boolean => kind === 's3' || kind === 'rest'

export const repositoryProblems = [
  'unreachable',
  'login',
  'password',
  'permission',
  'space',
  'damaged',
  'unanswered',
  'other',
] as const
export type RepositoryProblem = (typeof repositoryProblems)[number]

/** Then unanswered. */
export const repositoryTestSeconds = 120

export const repositoryWords: Record<RepositoryProblem, string> = {
  unreachable: '无法连接到备份存储，请检查地址、网络，以及对方的服务是否在运行',
  login: '备份存储拒绝了登录，请检查用户名、密码或密钥；SFTP 使用宿主机自己的 SSH 密钥',
  password: '该地址中已有用其他密码加密的数据，请填写当时的加密密码，或换一个地址',
  permission: '已连接到备份存储，但没有写入权限，请检查文件夹的所有者或密钥的权限',
  space: '备份存储没有剩余空间',
  damaged: '备份存储中的数据不完整',
  unanswered: '宿主机没有在限定时间内回答，请确认代理在运行且为最新版本',
  other: text.backupStorageAway,
}

export const repositoryTesting = '宿主机正在测试'
export const repositoryWorks = '连接正常：可以读取、创建和写入'

/** Of several the first: a check that lost its connection found nothing, and one broken off had repeated its reason. */
export function repositoryProblemIn(said: string): RepositoryProblem {
  return signs.find(([, sign]) => sign.test(said))?.[0] ?? 'other'
}

const signs: readonly (readonly [RepositoryProblem, RegExp])[] = [
  ['password', /wrong password or no key found/i],
  [
    'login',
    /permission denied \((publickey|password|keyboard)|host key verification failed|too many authentication failures|unauthorized|\(401\)|access key id|signaturedoesnotmatch|signature we calculated/i,
  ],
  ['space', /no space left|quota exceeded|disk quota|\(507\)|insufficient storage/i],
  [
    'unreachable',
    /connection (refused|reset|closed|timed out|lost)|no route to host|network is unreachable|could not resolve|no such host|i\/o timeout|unable to start the sftp session|server misbehaving|tls: |x509: |broken pipe|bucket does not exist|http response to https client/i,
  ],
  ['permission', /permission denied|read-only file system|access ?denied|forbidden|\(403\)|operation not permitted/i],
  ['other', /internal server error|\(500\)/i],
  ['unreachable', /did not end in time/],
  [
    'damaged',
    /repository contains errors|does not match|ciphertext verification failed|error for tree|does not exist/i,
  ],
]

/** Each time one part of a server's is read. */
export const checkParts = 16
export const checkDays = 7
export const checkLateDays = 14
export const checkRetryMinutes = 60

/** Within a week, at the server's own moment. */
export const firstCheck = (serverId: string, now: Date): Date =>
  new Date(now.getTime() + ((Number.parseInt(serverId.slice(-8), 16) * 1000) % (checkDays * dayMs)))

type Checks = { servers: number; damaged: number; late: number; isChecked: boolean }

/** Over all servers. */
export function backupChecksWords({ servers, damaged, late, isChecked }: Checks): string {
  if (servers === 0) return '还没有备份需要检查'
  if (damaged > 0) return `${damaged} 台服务器的备份已损坏，详见发现项`
  if (late > 0) return `${late} 台服务器的备份超过两周没有检查，详见发现项`
  return isChecked ? `${servers} 台服务器的备份每周检查，没有发现问题` : `${servers} 台服务器的备份等待首次检查`
}
