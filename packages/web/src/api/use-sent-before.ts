import * as text from '@vps/shared/text'
import { useRef } from 'react'
import { codeOf, isAnswer, messageOf } from './errors'

/**
 * For acts without a key: what a used password, code or link is refused for after a send that nobody answered may have
 * been done by that. Says so, with `hint`; else as `messageOf`.
 */
export function useSentBefore(codes: readonly string[], hint: string): (error: unknown, fallback?: string) => string {
  const unanswered = useRef(false)
  return (error, fallback) => {
    const message = messageOf(error, fallback)
    if (!isAnswer(error)) unanswered.current = true
    return unanswered.current && codes.includes(codeOf(error) ?? '') ? `${message}。${text.sentBefore}${hint}` : message
  }
}
