import type { KeyName } from './keys'

/** A modifier held for the next key, on a keyboard that has none. */
export type Held = Extract<KeyName, 'control' | 'alt'>

/** What both kinds of remote console can be told. */
export interface RemoteInput {
  /** Pressed in turn, released in reverse. */
  press(keys: readonly KeyName[]): void
  /** One key after another, as fast as a machine reads them; ends early where the signal says so. */
  type(text: string, options?: { held?: readonly Held[]; signal?: AbortSignal }): Promise<void>
  /** Whether there is a way to send it. */
  understands(keys: readonly KeyName[]): boolean
  focus(): void
  /** Of the modifiers with which the keyboard was taken back. */
  release(): void
}
