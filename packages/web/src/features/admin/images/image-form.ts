import * as labels from '@vps/shared/labels'
import { firmwareWords } from '@vps/shared/images'
import { imageInput, type ImageView } from '@vps/shared/images.contract'
import type { Inputs } from '../../../api/trpc'
import { contractFaults, type Faults } from '../../../forms/contract-faults'
import type { Compared } from '../parts/compared'
import { kindWords, readinessWords } from './image-words'

export type Values = Inputs['images']['create']

export const empty: Values = {
  osName: '',
  osVersion: '',
  file: '',
  url: '',
  sha256: '',
  readiness: 'ssh',
  username: 'root',
  kind: 'system',
  firmware: 'bios',
  minDiskGb: 5,
  isActive: true,
  sortOrder: 0,
}

export const valuesOf = (image: ImageView): Values => ({
  osName: image.osName,
  osVersion: image.osVersion,
  file: image.file,
  url: image.url ?? '',
  sha256: image.sha256 ?? '',
  readiness: image.readiness,
  username: image.username,
  kind: image.kind,
  firmware: image.firmware,
  minDiskGb: image.minDiskGb,
  isActive: image.isActive,
  sortOrder: image.sortOrder,
  version: image.version,
})

/** A disc shows no such fields: what was typed before it became one must not stand in the way unseen. */
export const inputOf = (values: Values): Values => {
  const { readiness, username, minDiskGb } = empty
  return values.kind === 'iso' ? { ...values, readiness, username, minDiskGb } : values
}

export const faultsOf = (values: Values): Faults =>
  contractFaults(imageInput, inputOf(values), ['minDiskGb', 'sortOrder'])

/** Whether saving makes every host fetch it again. */
export const fetchedAnew = (
  { url, file, sha256 }: Pick<Values, 'url' | 'file' | 'sha256'>,
  image: Pick<ImageView, 'file' | 'sha256'> | null,
): boolean => image !== null && Boolean(url?.trim()) && (file !== image.file || (sha256 ?? '') !== (image.sha256 ?? ''))

export const fields: Compared<Values>[] = [
  { name: 'osName', label: labels.osName },
  { name: 'osVersion', label: labels.version },
  { name: 'file', label: labels.fileName },
  { name: 'url', label: labels.downloadAddress },
  { name: 'sha256', label: labels.checksum },
  { name: 'readiness', label: labels.readiness, show: (kind) => readinessWords[kind ?? 'ssh'] },
  { name: 'username', label: labels.username },
  { name: 'kind', label: labels.purpose, show: (kind) => kindWords[kind ?? 'system'] },
  { name: 'firmware', label: labels.firmware, show: (firmware) => firmwareWords[firmware ?? 'bios'] },
  { name: 'minDiskGb', label: labels.minDisk, show: (gb) => `${String(gb)} GB` },
  { name: 'sortOrder', label: labels.sortOrder },
  { name: 'isActive', label: labels.isActive },
]
