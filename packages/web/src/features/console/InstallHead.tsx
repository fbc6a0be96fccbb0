import * as labels from '@vps/shared/labels'
import type { InstallProgress } from '@vps/shared/console.contract'
import { useState } from 'react'
import styled, { keyframes } from 'styled-components'
import { color, font, media, motion, radius } from '../../theme/tokens'
import { durationText } from '../../ui/Time'
import { heardOnly } from '../../ui/heard-only'
import { installCells, percentageOf } from './install-cells'
import { headline, isOpen, typicalText } from './install-words'

/** A cell for each step; all lit, a login was proven. */
export function InstallHead({ progress, now }: { progress: InstallProgress; now: number }) {
  const open = isOpen(progress)
  const [watched] = useState(open)
  const began = progress.startedAt && Date.parse(progress.startedAt)
  const ended = progress.finishedAt ? Date.parse(progress.finishedAt) : now
  const place = progress.steps.findIndex((step) => step.status === 'running')
  const running = progress.steps[place]
  const percentage = percentageOf(progress)

  return (
    <Night>
      <Words>
        <Figure>
          {percentage}
          <small>%</small>
        </Figure>
        <div>
          <h2>{headline(progress)}</h2>
          <p>
            {running && `第 ${place + 1} / ${progress.steps.length} 步 · `}
            {began ? `已用时 ${durationText((ended - began) / 1000)}` : open && '等待宿主机接手'}
            {open && progress.typicalSeconds && ` · 通常需要 ${typicalText(progress.typicalSeconds)}`}
            {progress.attempt > 1 && ` · 第 ${progress.attempt} 次尝试`}
          </p>
        </div>
      </Words>
      <Row
        role="progressbar"
        aria-label={labels.installProgress}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percentage}
        data-arrived={(watched && progress.installStatus === 'COMPLETED' && percentage === 100) || undefined}
      >
        {installCells(progress).map((status, n) => (
          <Cell key={n} data-status={status} style={{ animationDelay: `${n * 40}ms` }} />
        ))}
      </Row>
      {/* Spoken when the step changes, without the clock. */}
      <Silent aria-live="polite">{running ? `正在${running.label}` : headline(progress)}</Silent>
    </Night>
  )
}

const Night = styled.section`
  padding: 24px;
  border-radius: ${radius.dialog};
  background: ${color.night};
  color: ${color.onNight};

  ${media.phone} {
    padding: 20px 16px;
  }
`

const Words = styled.div`
  display: flex;
  align-items: center;
  gap: 20px;

  h2 {
    ${font.md}
  }

  p {
    ${font.numbers}
    color: ${color.onNight2};
  }
`

const Figure = styled.div`
  min-width: 104px;
  ${font.xxxl}
  ${font.strong}
  ${font.numbers}

  small {
    ${font.md}
    font-weight: 400;
    color: ${color.onNight2};
  }

  ${media.phone} {
    min-width: 80px;
    ${font.xxl}
  }
`

const arrive = keyframes`
  50% { transform: scaleY(1.25); }
`

const breathe = keyframes`
  to { opacity: 0.15; }
`

const Row = styled.div`
  display: grid;
  grid-auto-flow: column;
  grid-auto-columns: minmax(0, 1fr);
  gap: 6px;
  margin-top: 20px;

  /* Once, for whoever was there when the last one lit. */
  &[data-arrived] > i {
    animation: ${arrive} 250ms ease-in-out;
  }
`

const Cell = styled.i`
  position: relative;
  height: 40px;
  border-radius: ${radius.control};
  background: ${color.unlit};
  overflow: hidden;

  &::after {
    content: '';
    position: absolute;
    inset: 0;
    background: ${color.lamp};
    opacity: 0;
    transition: opacity ${motion.arrival};
  }

  &[data-status='done']::after {
    opacity: 1;
  }

  &[data-status='running'] {
    box-shadow: inset 0 0 0 2px ${color.lamp};

    &::after {
      opacity: 0.5;
      animation: ${breathe} 1s ease-in-out infinite alternate;
    }
  }

  /* Half as high: never colour alone. */
  &[data-status='failed']::after {
    background: ${color.lampOut};
    opacity: 1;
    transform: translateY(50%);
  }
`

const Silent = styled.p`
  ${heardOnly}
`
