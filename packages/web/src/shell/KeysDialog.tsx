import * as verbs from '@vps/shared/verbs'
import styled from 'styled-components'
import { color, font } from '../theme/tokens'
import { Dialog } from '../ui/Dialog'
import { Key } from '../ui/Key'

const keys: [keys: string[], meaning: string][] = [
  [['Ctrl', 'K'], '搜索服务器、订单和页面'],
  [['/'], '定位到本页搜索框'],
  [['?'], verbs.showKeys],
  [['Esc'], '关闭弹窗或菜单'],
  [['↑', '↓'], '在菜单和选项中移动'],
]

/** The list of keys. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="快捷键" open width={400} onClose={onClose}>
      <List>
        {keys.map(([names, meaning]) => (
          <div key={meaning}>
            <dt>
              {names.map((name) => (
                <Key key={name}>{name}</Key>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </List>
    </Dialog>
  )
}

const List = styled.dl`
  div {
    display: grid;
    grid-template-columns: 96px 1fr;
    align-items: center;
    min-height: 40px;
  }

  dt {
    display: flex;
    gap: 4px;
  }

  dd {
    color: ${color.text2};
    ${font.sm}
  }
`
