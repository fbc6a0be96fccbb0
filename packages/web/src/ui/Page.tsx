import * as labels from '@vps/shared/labels'
import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import styled from 'styled-components'
import { useTitle } from './use-title'
import { color, font, media, size } from '../theme/tokens'
import { IconButton } from './Button'
import { clockTime } from './Time'

interface PageProps {
  title: string
  /** Where it differs from the tab's title. */
  heading?: ReactNode
  note?: ReactNode
  back?: ReactNode
  actions?: ReactNode
  width?: 'console' | 'form'
  refresh?: { updatedAt: number; busy: boolean; run: () => void; label?: string }
  children: ReactNode
}

/** The frame of a console screen. */
export function Page({ title, heading, note, back, actions, width = 'console', refresh, children }: PageProps) {
  useTitle(title)
  return (
    <Frame $width={width}>
      <Head>
        {back}
        <Titles>
          <h1>{heading ?? title}</h1>
          {note && <Note>{note}</Note>}
        </Titles>
        <Actions>
          {refresh && (
            <Updated>
              <When $isKnown={refresh.updatedAt > 0}>
                {labels.updatedAt} {clockTime(refresh.updatedAt)}
              </When>
              {/* Also while it is read anyway: what is pressed is asked for. */}
              <IconButton label={refresh.label ?? '刷新'} aria-busy={refresh.busy} onClick={refresh.run}>
                <RefreshCw size={16} strokeWidth={1.75} />
              </IconButton>
            </Updated>
          )}
          {actions}
        </Actions>
      </Head>
      {children}
    </Frame>
  )
}

const Frame = styled.div<{ $width: 'console' | 'form' }>`
  width: 100%;
  max-width: calc(${({ $width }) => size[$width]} + 48px);
  margin: 0 auto;
  padding: 24px 24px 32px;

  ${media.phone} {
    padding: 16px 16px 32px;
  }
`

const Head = styled.header`
  display: flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 8px 12px;
  min-height: 36px;
  margin-bottom: 16px;

  ${media.phone} {
    margin-bottom: 12px;
  }
`

const Titles = styled.div`
  display: flex;
  align-items: baseline;
  flex-wrap: wrap;
  gap: 0 12px;
  min-width: 0;

  h1 {
    ${font.lg}
    overflow-wrap: anywhere;
  }

  /* Beside the way back and a small act, rather than below them. */
  ${media.phone} {
    flex: 1 1 160px;
  }
`

const Note = styled.div`
  ${font.sm}
  color: ${color.text3};
`

const Actions = styled.div`
  display: flex;
  align-items: center;
  flex-wrap: wrap;
  justify-content: flex-end;
  gap: 8px;
  margin-left: auto;
`

/** Keeps its place until known: nothing beside it moves. */
const When = styled.span<{ $isKnown: boolean }>`
  visibility: ${({ $isKnown }) => ($isKnown ? 'visible' : 'hidden')};
`

const Updated = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 4px;
  ${font.xs}
  ${font.numbers}
  color: ${color.text3};
`
