import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import styled, { createGlobalStyle } from 'styled-components'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { color, font, media } from '../../theme/tokens'
import { ButtonLink } from '../../ui/Button'
import { Chip } from '../../ui/Chip'
import { Segments } from '../../ui/Segments'
import { useParam } from '../../ui/use-param'
import { usePhone } from '../../theme/use-media'
import { useTitle } from '../../ui/use-title'
import { LinkNote } from './LinkNote'
import { PhoneKeys } from './PhoneKeys'
import { RemoteTools } from './RemoteTools'
import type { LinkState } from './use-remote-link'
import type { Remote } from './view-props'

const views = { screen: lazy(() => import('./ScreenView')), serial: lazy(() => import('./SerialView')) }
const kinds = [
  ['screen', labels.screen],
  ['serial', labels.serialLine],
] as const

const nothingYet: Remote = { state: { is: 'opening' }, again: () => {}, input: null }

/** A machine's screen or serial line, alone in the window. */
export default function RemotePage({ serverId = '' }: { serverId?: string | undefined }) {
  const about = trpc.console.install.useQuery({ id: serverId }).data
  const [asked, setAsked] = useParam('kind')
  const kind = asked === 'serial' ? 'serial' : 'screen'
  const [fit, setFit] = useState(true)
  const [remote, setRemote] = useState(nothingYet)
  const phone = usePhone()
  const bar = useRef<HTMLDivElement>(null)
  const name = about?.serverName ?? labels.remoteConsole
  useTitle(about ? `${labels.remoteConsole} ${name}` : name)
  const View = views[kind]
  const change = useCallback(
    (to: string) => {
      setRemote(nothingYet)
      setAsked(to === 'serial' ? to : null)
    },
    [setAsked],
  )

  // To type at once; a phone's keyboard would cover it.
  const { input } = remote
  useEffect(() => {
    if (input && !phone) input.focus()
  }, [input, phone])

  /** All other keys are the machine's. */
  function takeBack(event: KeyboardEvent) {
    if (!event.ctrlKey || !event.altKey || !event.shiftKey) return
    event.stopPropagation()
    remote.input?.release()
    bar.current?.focus()
  }

  return (
    <Whole>
      <NothingScrolls />
      <Bar ref={bar} tabIndex={-1}>
        <ButtonLink
          href={
            about?.orderId && about.installStatus === 'COMPLETED'
              ? paths.console(about.orderId)
              : paths.installProgress(serverId)
          }
          aria-label={verbs.goBack}
          icon={<ArrowLeft size={16} strokeWidth={1.75} aria-hidden />}
        />
        <Name>
          <h1>{name}</h1>
          <StateChip state={remote.state} />
        </Name>
        <Segments label="连接方式" name="kind" value={kind} onChange={change} options={kinds} />
        {!phone && <Hint>Ctrl + Alt + Shift 取回键盘</Hint>}
        <RemoteTools kind={kind} input={remote.input} fit={fit} onFit={setFit} />
      </Bar>
      <Stage id="stage" onKeyDownCapture={takeBack}>
        <Suspense fallback={null}>
          <View key={kind} serverId={serverId} fit={fit} onRemote={setRemote} />
        </Suspense>
        <LinkNote kind={kind} remote={remote} />
      </Stage>
      {phone && remote.input && <PhoneKeys key={kind} input={remote.input} />}
    </Whole>
  )
}

function StateChip({ state }: { state: LinkState }) {
  if (state.is === 'open') return <Chip tone="success">已连接</Chip>
  if (state.is === 'ended' && !state.again) return <Chip tone="neutral">已断开</Chip>
  return (
    <Chip tone="info" busy>
      连接中
    </Chip>
  )
}

/** Nor is room kept for a scrollbar. */
const NothingScrolls = createGlobalStyle`
  html {
    overflow: hidden;
    scrollbar-gutter: auto;
  }
`

const Whole = styled.div`
  display: flex;
  flex-direction: column;
  height: 100dvh;
  background: ${color.night};
`

const Bar = styled.div`
  display: flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 8px 12px;
  padding: 8px 16px;
  border-bottom: 1px solid ${color.line};
  background: ${color.raised};
  outline: none;

  ${media.phone} {
    padding: 8px 12px;
  }
`

const Name = styled.div`
  flex: 1 1 200px;
  display: flex;
  align-items: center;
  gap: 10px;
  min-width: 0;

  h1 {
    ${font.md}
    ${font.strong}
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`

const Hint = styled.span`
  ${font.xs}
  color: ${color.text3};

  ${media.narrow} {
    display: none;
  }
`

const Stage = styled.div`
  position: relative;
  flex: 1;
  min-height: 0;
`
