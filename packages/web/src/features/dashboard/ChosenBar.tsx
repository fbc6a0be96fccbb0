import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { ChevronDown, X } from 'lucide-react'
import styled from 'styled-components'
import { font, size } from '../../theme/tokens'
import { BottomBar } from '../../ui/BottomBar'
import { Button, IconButton } from '../../ui/Button'
import { Menu } from '../../ui/Menu'
import { toFirstField } from '../../ui/to-first-field'

export type ManyActName = 'renew' | 'restart' | 'renewalOn' | 'renewalOff'

/** Acts go one after another while somebody waits. */
const mostAtOnce = 50

/** Always in reach; nothing moves as it comes. */
export function ChosenBar({
  count,
  onAct,
  onAll,
  onNone,
}: {
  count: number
  onAct: (act: ManyActName) => void
  onAll: () => void
  onNone: () => void
}) {
  const tooMany = count > mostAtOnce
  return (
    <BottomBar>
      <Inner role="region" aria-label="已选的服务器">
        <IconButton
          label="取消选择"
          onClick={(event) => {
            toFirstField(event)
            onNone()
          }}
        >
          <X size={18} strokeWidth={1.75} />
        </IconButton>
        <Count>
          已选 {count} {labels.machinesUnit}
          {tooMany && `，一次最多 ${mostAtOnce} 台`}
        </Count>
        <Button tone="primary" disabled={tooMany} onClick={() => onAct('renew')}>
          {verbs.renew}
        </Button>
        <Button disabled={tooMany} onClick={() => onAct('restart')}>
          {verbs.restart}
        </Button>
        <Menu
          label="对已选服务器的更多操作"
          trigger={
            <Button disabled={tooMany}>
              更多
              <ChevronDown size={16} strokeWidth={1.75} aria-hidden />
            </Button>
          }
          entries={[
            { id: 'renewalOn', label: `${verbs.turnOn}${labels.autoRenewal}`, onAction: () => onAct('renewalOn') },
            { id: 'renewalOff', label: `${verbs.close}${labels.autoRenewal}`, onAction: () => onAct('renewalOff') },
            { id: 'all', label: verbs.chooseShown, onAction: onAll },
          ]}
        />
      </Inner>
    </BottomBar>
  )
}

const Inner = styled.div`
  display: flex;
  align-items: center;
  gap: 8px;
  max-width: ${size.console};
  margin: 0 auto;
`

const Count = styled.span`
  flex: 1;
  ${font.strong}
  ${font.numbers}
`
