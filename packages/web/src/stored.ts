/** Null where nothing can be read. */
export function readStored<Value>(storage: Storage, key: string): Value | null {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null') as Value | null
  } catch {
    return null
  }
}
