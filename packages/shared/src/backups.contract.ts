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

/** ISO times; bytes. */
export const backupView = z.object({
  id: z.uuid(),
  origin: z.enum(backupOrigins),
  state: z.enum(backupStates),
  /** While open. */
  jobId: z.uuid().nullable(),
  percentage: z.int().min(0).max(100),
  error: z.string().nullable(),
  osName: z.string(),
  osVersion: z.string(),
  diskGb: z.int(),
  /** Of the disk, and what was new before compression; null: unknown. */
  diskBytes: z.number().nullable(),
  addedBytes: z.number().nullable(),
  createdAt: z.string(),
  /** The disk's moment; null until made. */
  takenAt: z.string().nullable(),
})
export type BackupView = z.infer<typeof backupView>

/** Of the owner's other server, whole; `reason`: why not over this one, null: it can. */
export const backupElsewhereView = backupView
  .pick({ id: true, osName: true, osVersion: true, diskGb: true, diskBytes: true, takenAt: true })
  .extend({ serverId: z.uuid(), serverName: z.string(), reason: z.string().nullable() })
export type BackupElsewhereView = z.infer<typeof backupElsewhereView>

const hour = z.int({ error: text.badHour }).min(0, { error: text.badHour }).max(23, { error: text.badHour })
const weekday = z.int({ error: text.badWeekday }).min(1, { error: text.badWeekday }).max(7, { error: text.badWeekday })

/** As `BackupSchedule`, at the server's own minute. */
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

/** Newest first. */
export const backupsView = z.object({
  most: z.int(),
  used: z.int(),
  manual: z.int(),
  isScheduled: z.boolean(),
  /** False: the operator keeps none. */
  isStored: z.boolean(),
  schedule: z
    .object({
      frequency: z.enum(backupFrequencies),
      hour: z.int(),
      weekday: z.int().nullable(),
      nextAt: z.string(),
    })
    .nullable(),
  backups: z.array(backupView),
})
export type BackupsView = z.infer<typeof backupsView>

/** Passwords are never told again. */
export const backupRepositoryView = z.object({
  /** Null: nowhere; neither sold nor made. */
  url: z.string().nullable(),
  username: z.string(),
  /** KiB per second and host; 0: unlimited. */
  uploadLimitKib: z.int(),
  version: z.int(),
  savedAt: z.string().nullable(),
  savedBy: z.string().nullable(),
  /** The last with these settings; null: none. */
  test: z
    .object({
      /** RUNNING until answered, at most `repositoryTestSeconds`. */
      state: z.enum(['RUNNING', 'OK', 'FAILED']),
      askedAt: z.string(),
      testedAt: z.string().nullable(),
      hostName: z.string(),
      problem: z.enum(repositoryProblems).nullable(),
      words: z.string(),
      detail: z.string(),
    })
    .nullable(),
  /** Weekly, at any address. */
  check: z.object({
    servers: z.int(),
    damaged: z.int(),
    late: z.int(),
    lastAt: z.string().nullable(),
    /** Null: none checked yet. */
    isOk: z.boolean().nullable(),
    words: z.string(),
  }),
})
export type BackupRepositoryView = z.infer<typeof backupRepositoryView>

/** Absent: any host online. */
export const backupTestInput = z.object({ hostId: z.uuid().nullish() })

const secret = z
  .string()
  .max(200, { error: text.tooLong(200) })
  .nullish()
  .transform((value) => value || null)

/**
 * As restic takes it: `/folder` of each host, `sftp:user@host:/folder`, `s3:https://host/bucket`, `rest:https://host/`.
 * `password` encrypts: without it nothing can be brought back. `username`, `loginPassword`: S3's keys or a REST login.
 * An absent password stays if the address does.
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
