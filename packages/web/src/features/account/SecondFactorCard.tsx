import { recoveryCodes } from '@vps/shared/accounts'
import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import { useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { color } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Tag } from '../../ui/Chip'
import { Bar, Failed } from '../../ui/states'
import { dateText } from '../../ui/Time'
import { EnableDialog, ProofDialog } from './SecondFactorDialogs'

/** So few are soon none. */
const fewCodes = 3

/** Asked for at a sign-in beside the password. */
export function SecondFactorCard() {
  const state = trpc.secondFactor.get.useQuery()
  const [asking, setAsking] = useState<'on' | 'off' | 'codes' | null>(null)
  const close = () => setAsking(null)
  return (
    <Card
      title={labels.secondFactor}
      note="登录时除密码外，再输入手机验证器应用显示的验证码；密码泄露时，他人仍无法登录"
    >
      {state.isError && !state.data ? (
        <Failed title="加载两步验证失败" error={state.error} onRetry={() => void state.refetch()} />
      ) : !state.data ? (
        <Bar $height={64} />
      ) : state.data.since === null ? (
        <Row>
          <Tag>{states.neverSwitchedOn}</Tag>
          <Button tone="primary" onClick={() => setAsking('on')}>
            {verbs.enableSecondFactor}
          </Button>
        </Row>
      ) : (
        <>
          <Row>
            <Tag $tone="success">{states.switchedOn}</Tag>
            <span>
              {dateText(state.data.since)} {verbs.turnOn}
            </span>
            <span>
              恢复码剩余 {state.data.recoveryCodesLeft} / {recoveryCodes} {labels.piecesUnit}
              {state.data.recoveryCodesLeft <= fewCodes && '，建议重新生成'}
            </span>
          </Row>
          <Row>
            <Button onClick={() => setAsking('codes')}>{verbs.renewRecoveryCodes}</Button>
            <Button tone="danger" onClick={() => setAsking('off')}>
              {verbs.disableSecondFactor}
            </Button>
          </Row>
        </>
      )}
      {asking === 'on' && <EnableDialog onClose={close} />}
      {(asking === 'off' || asking === 'codes') && <ProofDialog act={asking} onClose={close} />}
    </Card>
  )
}

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 12px;
  color: ${color.text2};

  & + & {
    margin-top: 16px;
  }
`
