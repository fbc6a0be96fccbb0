import { yuan, type Fen } from '@vps/shared/money'
import * as text from '@vps/shared/text'
import { Money } from '../ui/Money'

/** How much a balance lacks. */
export function Lacking({ missing }: { missing: Fen }) {
  return (
    <>
      {text.insufficientBalance}（还差 <Money yuan={yuan.encode(missing)} />）
    </>
  )
}
