import type { KeyName } from './keys'

/** A modifier held for the next key. */
export type Held = Extract<KeyName, 'control' | 'alt'>

export interface RemoteInput {
  /** Pressed in turn, released in reverse. */
  press(keys: readonly KeyName[]): void
  /** As fast as a machine reads; the signal ends it. */
  type(text: string, options?: { held?: readonly Held[]; signal?: AbortSignal }): Promise<void>
  /** Whether there is a way to send it. */
  understands(keys: readonly KeyName[]): boolean
  focus(): void
  /** The modifiers with which the keyboard was taken back. */
  release(): void
}
