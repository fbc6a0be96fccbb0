import * as z from 'zod'
import { downloadUrl } from './agent.contract.js'
import { label, sortOrder, wholeNumber } from './fields.contract.js'
import { firmwares, imageKinds, imagePresences } from './images.js'
import { readinessKinds } from './jobs.js'
import * as text from './text.js'

export const imageOnHost = z.object({
  hostId: z.uuid(),
  hostName: z.string(),
  /** False: as told last. */
  alive: z.boolean(),
  /** Null: never connected. */
  lastSeenAt: z.string().nullable(),
  status: z.enum(imagePresences),
  bytes: z.number(),
  totalBytes: z.number().nullable(),
  error: z.string().nullable(),
})
export type ImageOnHost = z.infer<typeof imageOnHost>
export const imageView = z.object({
  id: z.uuid(),
  osName: z.string(),
  osVersion: z.string(),
  file: z.string(),
  url: z.string().nullable(),
  sha256: z.string().nullable(),
  readiness: z.enum(readinessKinds),
  username: z.string(),
  kind: z.enum(imageKinds),
  firmware: z.enum(firmwares),
  minDiskGb: z.int(),
  isActive: z.boolean(),
  sortOrder: z.int(),
  version: z.int(),
  /** Not retired, by name. */
  hosts: z.array(imageOnHost),
})
export type ImageView = z.infer<typeof imageView>
/** With a `url` agents fetch it, which needs a checksum; else an operator puts it there. */
export const imageInput = z
  .object({
    osName: label,
    osVersion: label,
    file: z
      .string({ error: text.required })
      .trim()
      .min(1, { error: text.required })
      .regex(/^[A-Za-z0-9._-]{1,120}$/, { error: '文件名只能包含字母、数字、点、横线和下划线' })
      // Agents look at these only: a half-made file is no image.
      .regex(/\.(qcow2|img|raw|iso)$/, { error: '文件名需以 .qcow2、.img、.raw 或 .iso 结尾' }),
    url: z
      .string()
      .trim()
      .max(2000, { error: '下载地址最多 2000 个字符' })
      .refine((url) => url === '' || downloadUrl.safeParse(url).success, {
        error: '请输入以 http:// 或 https:// 开头的下载地址',
      })
      .nullish()
      .transform((url) => url || null),
    sha256: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^([0-9a-f]{64})?$/, { error: '校验和需为64位十六进制' })
      .nullish()
      .transform((sum) => sum || null),
    readiness: z.enum(readinessKinds, { error: '就绪方式不正确' }).default('ssh'),
    username: z
      .string()
      .trim()
      .regex(/^[a-z_][a-z0-9_-]{0,31}$/, { error: text.badUsername })
      .default('root'),
    kind: z.enum(imageKinds, { error: '用途不正确' }).default('system'),
    firmware: z.enum(firmwares, { error: '固件不正确' }).default('bios'),
    minDiskGb: wholeNumber(1, 2000).default(5),
    isActive: z.boolean().default(true),
    sortOrder: sortOrder.default(0),
    /** As read, else CONFLICT; absent: saved. */
    version: z.int().optional(),
  })
  .refine((image) => image.url === null || image.sha256 !== null, {
    path: ['sha256'],
    error: '使用下载地址时必须填写 SHA-256 校验和',
  })
  .refine((image) => (image.kind === 'iso') === image.file.endsWith('.iso'), {
    path: ['file'],
    error: '光盘的文件名需以 .iso 结尾，其他用途的不能',
  })
  // A rescue system boots where the machine's may not; a disc boots as its machine.
  .refine((image) => image.kind === 'system' || image.firmware === 'bios', {
    path: ['firmware'],
    error: '只有客户的系统可以使用 UEFI 固件',
  })
export type ImageInput = z.infer<typeof imageInput>
