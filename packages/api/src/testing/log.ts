import { pino, type Level, type Logger } from 'pino'

/** A log whose lines a test can read. */
export function collectLog(level: Level, lines: string[]): Logger {
  return pino({ level }, { write: (line: string) => void lines.push(line) })
}
