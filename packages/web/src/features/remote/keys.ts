/** For VNC: X11 keysym and place (UI Events `code`). */
export type Key = { keysym: number; code: string }

/** US, as a machine's without its own layout. */
export const keys = {
  escape: { keysym: 0xff1b, code: 'Escape' },
  tab: { keysym: 0xff09, code: 'Tab' },
  enter: { keysym: 0xff0d, code: 'Enter' },
  backspace: { keysym: 0xff08, code: 'Backspace' },
  delete: { keysym: 0xffff, code: 'Delete' },
  printScreen: { keysym: 0xff61, code: 'PrintScreen' },
  left: { keysym: 0xff51, code: 'ArrowLeft' },
  up: { keysym: 0xff52, code: 'ArrowUp' },
  right: { keysym: 0xff53, code: 'ArrowRight' },
  down: { keysym: 0xff54, code: 'ArrowDown' },
  f1: { keysym: 0xffbe, code: 'F1' },
  f2: { keysym: 0xffbf, code: 'F2' },
  f4: { keysym: 0xffc1, code: 'F4' },
  f7: { keysym: 0xffc4, code: 'F7' },
  shift: { keysym: 0xffe1, code: 'ShiftLeft' },
  control: { keysym: 0xffe3, code: 'ControlLeft' },
  alt: { keysym: 0xffe9, code: 'AltLeft' },
  windows: { keysym: 0xffeb, code: 'MetaLeft' },
} as const satisfies Record<string, Key>
export type KeyName = keyof typeof keys

export type Chord = { id: string; label: string; keys: readonly KeyName[] }

/** A browser or its system keeps these for itself. */
export const chords: readonly Chord[] = [
  { id: 'reset', label: 'Ctrl + Alt + Del', keys: ['control', 'alt', 'delete'] },
  { id: 'text1', label: 'Ctrl + Alt + F1', keys: ['control', 'alt', 'f1'] },
  { id: 'text2', label: 'Ctrl + Alt + F2', keys: ['control', 'alt', 'f2'] },
  { id: 'text7', label: 'Ctrl + Alt + F7', keys: ['control', 'alt', 'f7'] },
  { id: 'switch', label: 'Alt + Tab', keys: ['alt', 'tab'] },
  { id: 'close', label: 'Alt + F4', keys: ['alt', 'f4'] },
  { id: 'windows', label: 'Windows', keys: ['windows'] },
  { id: 'escape', label: 'Esc', keys: ['escape'] },
  { id: 'tab', label: 'Tab', keys: ['tab'] },
  { id: 'print', label: 'Print Screen', keys: ['printScreen'] },
]

export const serialBytes: Partial<Record<KeyName, string>> & { escape: string } = {
  escape: '\u001b',
  tab: '\t',
  enter: '\r',
  backspace: '\u007f',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
}

/** Ctrl with a character, as a terminal sends it (ECMA-48, C0). */
export const controlByte = (character: string): string => String.fromCharCode(character.charCodeAt(0) & 0x1f)

/** The key that writes a character; null where none does. */
export function keyOf(character: string): { key: Key; shift: boolean } | null {
  if (character === '\n' || character === '\r') return { key: keys.enter, shift: false }
  if (character === '\t') return { key: keys.tab, shift: false }
  const found = written.get(character)
  return found ? { key: { keysym: character.charCodeAt(0), code: found.code }, shift: found.shift } : null
}

/** What no key writes, each once. */
export function unwritable(text: string): string[] {
  return [...new Set(text.replaceAll('\r\n', '\n'))].filter((character) => keyOf(character) === null)
}

const places: readonly (readonly [code: string, plain: string, shifted: string])[] = [
  ...[...'abcdefghijklmnopqrstuvwxyz'].map((letter) => {
    const capital = letter.toUpperCase()
    return [`Key${capital}`, letter, capital] as const
  }),
  ...[...'1234567890'].map((digit, at) => [`Digit${digit}`, digit, '!@#$%^&*()'.charAt(at)] as const),
  ['Backquote', '`', '~'],
  ['Minus', '-', '_'],
  ['Equal', '=', '+'],
  ['BracketLeft', '[', '{'],
  ['BracketRight', ']', '}'],
  ['Backslash', '\\', '|'],
  ['Semicolon', ';', ':'],
  ['Quote', "'", '"'],
  ['Comma', ',', '<'],
  ['Period', '.', '>'],
  ['Slash', '/', '?'],
  ['Space', ' ', ' '],
]

const written = new Map<string, { code: string; shift: boolean }>(
  places.flatMap(([code, plain, shifted]) => [
    [shifted, { code, shift: true }] as const,
    [plain, { code, shift: false }] as const,
  ]),
)
