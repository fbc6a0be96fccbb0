import * as states from '@vps/shared/states'
import type { JobStep } from '@vps/shared/jobs.contract'
import { Check, X } from 'lucide-react'
import styled from 'styled-components'
import { color, font, radius } from '../theme/tokens'
import { Spinner } from './Spinner'
import { timeOf } from './step-time'

const words: Record<JobStep['status'], string> = {
  pending: states.waiting,
  running: states.running,
  done: states.done,
  failed: states.failed,
}

/** The steps of a job. */
export function Steps({ steps, now }: { steps: JobStep[]; now: number }) {
  if (steps.length === 0) return null
  return (
    <List>
      {steps.map((step) => (
        <li key={step.name} data-status={step.status} aria-current={step.status === 'running' ? 'step' : undefined}>
          <Mark $status={step.status} aria-hidden>
            {step.status === 'running' ? (
              <Spinner $size={14} />
            ) : step.status === 'done' ? (
              <Check size={14} strokeWidth={2.5} />
            ) : step.status === 'failed' ? (
              <X size={14} strokeWidth={2.5} />
            ) : null}
          </Mark>
          <span>{step.label}</span>
          <small>
            {step.status === 'failed' && `${words.failed} `}
            {timeOf(step, now) ?? (step.status !== 'failed' && words[step.status])}
          </small>
        </li>
      ))}
    </List>
  )
}

const List = styled.ol`
  display: grid;

  li {
    position: relative;
    display: grid;
    grid-template-columns: 24px minmax(0, 1fr) auto;
    align-items: center;
    gap: 12px;
    min-height: 40px;
    color: ${color.text2};
  }

  li[data-status='running'] {
    color: ${color.text};
    ${font.strong}
  }

  li[data-status='pending'] {
    color: ${color.text3};
  }

  /* The line from one mark to the next. */
  li + li::before {
    content: '';
    position: absolute;
    top: -8px;
    left: 11px;
    width: 2px;
    height: 16px;
    background: ${color.line};
  }

  small {
    ${font.xs}
    ${font.numbers}
    font-weight: 400;
    color: ${color.text3};
  }
`

const marks: Record<JobStep['status'], string> = {
  pending: `background: ${color.line}; color: ${color.text3};`,
  running: `background: ${color.primary.tint}; color: ${color.primary.text};`,
  done: `background: ${color.success.fill}; color: ${color.success.onFill};`,
  failed: `background: ${color.error.tint}; color: ${color.error.text};`,
}

const Mark = styled.span<{ $status: JobStep['status'] }>`
  display: grid;
  place-items: center;
  width: 24px;
  height: 24px;
  border-radius: ${radius.control};
  ${({ $status }) => marks[$status]}
`
