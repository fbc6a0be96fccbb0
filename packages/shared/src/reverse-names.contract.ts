import * as z from 'zod'
import { mostReverseZones, readHostName, readReverseZone, reverseNameStates } from './reverse-names.js'
import * as text from './text.js'

/** Of a server. */
export const reverseNameView = z.object({
  address: z.string(),
  name: z.string().nullable(),
  state: z.enum(reverseNameStates),
  /** The name server's words; for administrators. */
  error: z.string().nullable(),
  /** False: no zone of the operator's holds it. */
  isOffered: z.boolean(),
})
export type ReverseNameView = z.infer<typeof reverseNameView>

/** In the order of addresses. */
export const reverseNamesView = z.object({
  /** Only names that lead to the address. */
  mustResolve: z.boolean(),
  names: z.array(reverseNameView),
})
export type ReverseNamesView = z.infer<typeof reverseNamesView>

const hostName = z
  .string({ error: text.required })
  .max(300, { error: text.badHostName })
  .transform((typed, { addIssue }) => {
    const name = readHostName(typed)
    if (name === null) addIssue({ code: 'custom', message: text.badHostName })
    return name ?? z.NEVER
  })

/** Null or empty removes it. */
export const setReverseNameInput = z.object({
  address: z
    .string({ error: text.required })
    .trim()
    .regex(/^[0-9a-fA-F:.]{2,45}$/, { error: text.badIpAddress }),
  name: z
    .literal('')
    .transform(() => null)
    .or(hostName)
    .nullable(),
})

/** The key is never told again. */
export const reverseDnsView = z.object({
  /** Null: none are offered. */
  url: z.string().nullable(),
  zones: z.array(z.string()),
  mustResolve: z.boolean(),
  waiting: z.int(),
  failed: z.int(),
  version: z.int(),
  savedAt: z.string().nullable(),
  savedBy: z.string().nullable(),
})
export type ReverseDnsView = z.infer<typeof reverseDnsView>

const zone = z.string({ error: text.required }).transform((typed, { addIssue }) => {
  const read = readReverseZone(typed)
  if (read === null)
    addIssue({
      code: 'custom',
      message: `“${typed.slice(0, 80)}”不是反向区域，例如 2.0.192.in-addr.arpa 或 8.b.d.0.1.0.0.2.ip6.arpa`,
    })
  return read ?? z.NEVER
})

/** An absent key stays where the address does. */
export const reverseDnsInput = z.object({
  /** Of PowerDNS's HTTP API, without `/api/v1`. */
  url: z
    .string({ error: text.required })
    .trim()
    .max(500, { error: text.tooLong(500) })
    .regex(/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/, { error: '地址需为 http:// 或 https:// 开头，不含密钥和查询参数' })
    .pipe(z.url({ error: text.badUrl }))
    .transform((url) => url.replace(/\/+$/, '')),
  key: z
    .string()
    .trim()
    .max(200, { error: text.tooLong(200) })
    .regex(/^[\x21-\x7e]*$/, { error: 'API 密钥只能包含可见的英文字符' })
    .nullish()
    .transform((key) => key || null),
  zones: z
    .array(zone)
    .min(1, { error: '请填写至少一个反向区域' })
    .max(mostReverseZones, { error: `最多 ${mostReverseZones} 个反向区域` })
    .transform((zones) => [...new Set(zones)]),
  mustResolve: z.boolean().default(false),
  version: z.int({ error: text.required }),
})
export type ReverseDnsInput = z.infer<typeof reverseDnsInput>

/** What stands in the way of writing to each. */
export const reverseDnsTest = z.object({
  zones: z.array(z.object({ zone: z.string(), fault: z.string().nullable() })),
})
export type ReverseDnsTest = z.infer<typeof reverseDnsTest>
