import * as z from 'zod'
import {
  asksForLogin,
  backupFrequencies,
  backupOrigins,
  backupStates,
  repositoryKind,
  repositoryProblems,
} from './backups.js'
import { wholeNumber } from './fields.contract.js'
import * as text from './text.js'

/** One copy of a server's disk. ISO times; bytes. */
export const backupView = z.object({
  id: z.uuid(),
  origin: z.enum(backupOrigins),
  state: z.enum(backupStates),
  /** Of its job, while that is open. */
  jobId: z.uuid().nullable(),
  percentage: z.int().min(0).max(100),
  /** Why it failed; null where nobody said. */
  error: z.string().nullable(),
  osName: z.string(),
  osVersion: z.string(),
  diskGb: z.int(),
  /** Of the disk, and of what was new in it before it was compressed; null: not known. */
  diskBytes: z.number().nullable(),
  addedBytes: z.number().nullable(),
  createdAt: z.string(),
  /** When the disk was as it is kept; null until it was made. */
  takenAt: z.string().nullable(),
})
export type BackupView = z.infer<typeof backupView>

/** Of another server of the same owner, whole, with why it cannot be brought back over this one; null: it can. */
export const backupElsewhereView = backupView
  .pick({ id: true, osName: true, osVersion: true, diskGb: true, diskBytes: true, takenAt: true })
  .extend({ serverId: z.uuid(), serverName: z.string(), reason: z.string().nullable() })
export type BackupElsewhereView = z.infer<typeof backupElsewhereView>

const hour = z.int({ error: text.badHour }).min(0, { error: text.badHour }).max(23, { error: text.badHour })
const weekday = z.int({ error: text.badWeekday }).min(1, { error: text.badWeekday }).max(7, { error: text.badWeekday })

/** By the clock in Asia/Shanghai, at a minute of the hour that is the server's own; weekday 1 is Monday. */
export const backupScheduleInput = z.discriminatedUnion(
  'frequency',
  [
    z.object({ frequency: z.literal('off') }),
    z.object({ frequency: z.literal('daily'), hour }),
    z.object({ frequency: z.literal('weekly'), hour, weekday }),
  ],
  { error: '请选择备份频率' },
)
export type BackupScheduleInput = z.infer<typeof backupScheduleInput>

/** Of one server, newest first, with what its buttons need (`backupCan`). */
export const backupsView = z.object({
  /** As many were bought; `used` take a place, `manual` of them by hand. */
  most: z.int(),
  used: z.int(),
  manual: z.int(),
  isScheduled: z.boolean(),
  /** False: the operator keeps none, and none is made. */
  isStored: z.boolean(),
  schedule: z
    .object({
      frequency: z.enum(backupFrequencies),
      hour: z.int(),
      /** 1 is Monday; null: every day. */
      weekday: z.int().nullable(),
      nextAt: z.string(),
    })
    .nullable(),
  backups: z.array(backupView),
})
export type BackupsView = z.infer<typeof backupsView>

/** Where backups are kept, for its operator: passwords are never told again. */
export const backupRepositoryView = z.object({
  /** Null: nowhere; backups are neither sold nor made. */
  url: z.string().nullable(),
  username: z.string(),
  /** KiB per second of each host; 0: unlimited. */
  uploadLimitKib: z.int(),
  version: z.int(),
  savedAt: z.string().nullable(),
  savedBy: z.string().nullable(),
  /** The last that was asked for since these settings were saved; null: none. */
  test: z
    .object({
      /** RUNNING until its host has answered, for `repositoryTestSeconds` at most; read again meanwhile. */
      state: z.enum(['RUNNING', 'OK', 'FAILED']),
      askedAt: z.string(),
      testedAt: z.string().nullable(),
      hostName: z.string(),
      /** Of one that failed. */
      problem: z.enum(repositoryProblems).nullable(),
      /** The sentence to show: 连接正常…, or what is to be done. */
      words: z.string(),
      /** What restic said, without secrets; empty where all is well. */
      detail: z.string(),
    })
    .nullable(),
  /** Every server's backups are checked each week; what is kept at any address. */
  check: z.object({
    /** That have backups; of them so many were found damaged, and so many have not been checked for two weeks. */
    servers: z.int(),
    damaged: z.int(),
    late: z.int(),
    /** Of any of them. */
    lastAt: z.string().nullable(),
    /** Null until one was checked. */
    isOk: z.boolean().nullable(),
    /** The sentence to show. */
    words: z.string(),
  }),
})
export type BackupRepositoryView = z.infer<typeof backupRepositoryView>

/** By which host: whichever is online where none is named. */
export const backupTestInput = z.object({ hostId: z.uuid().nullish() })

const secret = z
  .string()
  .max(200, { error: text.tooLong(200) })
  .nullish()
  .transform((value) => value || null)

/**
 * As restic takes it: `/folder` of each host, `sftp:user@host:/folder`, `s3:https://host/bucket`, `rest:https://host/`.
 * `password` encrypts what is kept: without it nothing can be brought back, by anybody. `username` and `loginPassword`:
 * the keys of S3, or a REST server's login. A password that is absent stays as it is where the address does.
 */
export const backupRepositoryInput = z
  .object({
    url: z
      .string({ error: text.required })
      .trim()
      .max(500, { error: text.tooLong(500) })
      .refine((url) => repositoryKind(url) !== null, {
        error: '地址需为 /文件夹、sftp:用户@主机:/文件夹、s3:https://主机/存储桶 或 rest:https://主机/，且不含密码',
      }),
    username: z
      .string()
      .trim()
      .max(200, { error: text.tooLong(200) })
      .nullish()
      .transform((name) => name || ''),
    password: secret.refine((value) => value === null || value.length >= 8, { error: '加密密码至少 8 个字符' }),
    loginPassword: secret,
    uploadLimitKib: wholeNumber(0, 10_000_000).default(0),
    version: z.int({ error: text.required }),
  })
  .refine(({ url, username }) => username === '' || asksForLogin(repositoryKind(url)), {
    path: ['username'],
    error: '文件夹和 SFTP 不需要用户名',
  })
export type BackupRepositoryInput = z.infer<typeof backupRepositoryInput>
