import * as labels from '@vps/shared/labels'
import { reverseNameStateNames, type ReverseNameState } from '@vps/shared/reverse-names'
import type { ReverseNameView } from '@vps/shared/reverse-names.contract'
import * as verbs from '@vps/shared/verbs'
import { useState } from 'react'
import { trpc } from '../../api/trpc'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Chip, type ChipTone } from '../../ui/Chip'
import { Failed } from '../../ui/states'
import { About, Acts, KeptList, KeptRules } from './KeptList'
import { ReverseNameDialog } from './ReverseNameDialog'

const tones: Record<ReverseNameState, ChipTone> = {
  NONE: 'neutral',
  WAITING: 'info',
  WRITTEN: 'success',
  FAILED: 'warning',
}

/** Nothing where the shop offers none (decision 0109). */
export function ReverseNamesCard({ serverId }: { serverId: string }) {
  const reverse = trpc.reverseNames.list.useQuery({ serverId })
  const [edited, setEdited] = useState<string | null>(null)
  const { data } = reverse
  const shown = data?.names.filter(({ isOffered, name, state }) => isOffered || name !== null || state !== 'NONE') ?? []
  const current = shown.find(({ address }) => address === edited)
  if (data ? shown.length === 0 : !reverse.isError) return null
  return (
    <Card title={labels.reverseName} note="由 IP 地址反查到的域名（PTR），收发邮件时常需要">
      {data ? (
        <KeptList>
          {shown.map((one) => (
            <Row key={one.address} one={one} onEdit={() => setEdited(one.address)} />
          ))}
        </KeptList>
      ) : (
        <Failed title="加载反向解析失败" error={reverse.error} onRetry={() => void reverse.refetch()} />
      )}
      {data && (
        <KeptRules>
          {data.mustResolve && <li>设置之前，域名需先解析到对应的地址。</li>}
          <li>保存后几秒内写入；其他名称服务器可能在一小时内仍返回旧的域名。</li>
          <li>服务器释放后，反向解析会被删除。</li>
        </KeptRules>
      )}
      {current && data && (
        <ReverseNameDialog
          serverId={serverId}
          one={current}
          mustResolve={data.mustResolve}
          onClose={() => setEdited(null)}
        />
      )}
    </Card>
  )
}

function Row({ one, onEdit }: { one: ReverseNameView; onEdit: () => void }) {
  const { address, name, state, error, isOffered } = one
  return (
    <li>
      <About>
        <b>{name ?? (state === 'NONE' ? '没有域名' : labels.beingDeleted)}</b>
        <small>{address}</small>
        {state === 'FAILED' && <small>{error ?? '暂时无法写入'}；会自动重试。</small>}
      </About>
      {state !== 'NONE' && <Chip tone={tones[state]}>{reverseNameStateNames[state]}</Chip>}
      {isOffered && (
        <Acts>
          <Button size="sm" aria-label={`${verbs.edit} ${address} 的${labels.reverseName}`} onClick={onEdit}>
            {verbs.edit}
          </Button>
        </Acts>
      )}
    </li>
  )
}
