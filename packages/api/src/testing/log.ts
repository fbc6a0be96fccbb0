import { pino, type Level, type Logger } from 'pino'

export function collectLog(level: Level, lines: string[]): Logger {
  return pino({ level }, { write: (line: string) => void lines.push(line) })
}
