/** 812 MB, 2.4 GB. */
export function bytesText(bytes: number): string {
  const mb = bytes / 1024 ** 2
  return mb < 1000 ? `${Math.round(mb)} MB` : `${(mb / 1024).toFixed(1)} GB`
}
