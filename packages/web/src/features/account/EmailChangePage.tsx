import * as verbs from '@vps/shared/verbs'
import { useState } from 'react'
import styled from 'styled-components'
import { useSearchParams } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { statusOf } from '../../api/errors'
import { endSession, useSession } from '../../api/session'
import { trpc } from '../../api/trpc'
import { useSentBefore } from '../../api/use-sent-before'
import * as pages from '../../page-names'
import { paths } from '../../paths'
import { color, font, size } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { Button, ButtonLink } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { Middle } from '../../ui/Middle'
import { toast } from '../../ui/toast'
import { useTitle } from '../../ui/use-title'

const offers = {
  confirm: { title: '确认账户邮箱', text: '确认后可以用此邮箱找回密码。', act: verbs.confirmEmail },
  'take-back': {
    title: '恢复账户邮箱',
    text: '恢复后所有设备将退出登录，原密码随之失效，请随后通过“找回密码”设置新密码。',
    act: verbs.takeBackEmail,
  },
}
const outcomes = { confirmed: '邮箱已确认', 'taken-back': '邮箱已恢复，请通过“找回密码”设置新密码' }

const mayBeTakenBack = '邮箱可能已经恢复，请通过“找回密码”设置新密码'

/** Opening it does nothing: mail programs open links, too. */
export default function EmailChangePage() {
  const [params] = useSearchParams()
  const { title, text, act } = offers[params.get('act') === 'confirm' ? 'confirm' : 'take-back']
  const follow = trpc.accounts.followEmailLink.useMutation()
  const leaveIfEnded = useLeaveIfEnded()
  // A confirmation may be repeated: nothing is used up by it.
  const sentenceOf = useSentBefore(act === verbs.takeBackEmail ? ['WRONG_CODE'] : [], mayBeTakenBack)
  const [problem, setProblem] = useState<string | null>(null)
  useTitle(title)

  async function onClick() {
    setProblem(null)
    try {
      const { outcome } = await follow.mutateAsync({ token: params.get('token') ?? '' })
      // Its button goes.
      document.querySelector('main')?.focus({ preventScroll: true })
      if (outcome === 'taken-back') await leaveIfEnded()
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }

  return (
    <Middle>
      <Box>
        <h1>{title}</h1>
        {follow.data ? <Alert tone="success">{outcomes[follow.data.outcome]}</Alert> : <p>{text}</p>}
        {problem !== null && <Alert tone="error">{problem}</Alert>}
        {follow.data ? (
          <Next outcome={follow.data.outcome} />
        ) : (
          <Button tone="primary" busy={follow.isPending} onClick={() => void onClick()}>
            {act}
          </Button>
        )}
      </Box>
    </Middle>
  )
}

/** A new password is for whoever is signed out. */
function Next({ outcome }: { outcome: keyof typeof outcomes }) {
  const { token } = useSession()
  if (outcome === 'taken-back' && token !== null) return <p>设置新密码前，请先退出登录。</p>
  const [href, name] =
    outcome === 'taken-back'
      ? [paths.forgotPassword(), verbs.recoverPassword]
      : token === null
        ? [paths.auth(), '去登录']
        : [paths.profile(), pages.profile]
  return (
    <ButtonLink tone="primary" href={href}>
      {name}
    </ButtonLink>
  )
}

/**
 * Taken back, the account's sessions ended, this browser's too if it is that account's. Left before the next read says
 * only that, and leads back to a link that is used up.
 */
function useLeaveIfEnded(): () => Promise<void> {
  const { client } = trpc.useUtils()
  const { token } = useSession()
  return async () => {
    const isEnded = token !== null && (await client.accounts.me.query().then(() => false, isRefused))
    if (!isEnded) return
    endSession()
    navigate(paths.forgotPassword(), { replace: true })
    toast(outcomes['taken-back'], 'success', { timeoutMs: 15_000 })
  }
}

const isRefused = (error: unknown) => statusOf(error) === 401

const Box = styled(Panel)`
  display: grid;
  gap: 16px;
  width: min(${size.form}, 100%);
  padding: 32px;

  h1 {
    ${font.xl}
  }

  p {
    color: ${color.text2};
  }
`
