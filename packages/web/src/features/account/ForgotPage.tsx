import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import styled from 'styled-components'
import { Link } from 'wouter'
import { messageOf } from '../../api/errors'
import { paths } from '../../paths'
import { media, size } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { TextField } from '../../ui/Field'
import { focusMain } from '../../ui/focus-main'
import { useTitle } from '../../ui/use-title'
import { Form, Switch } from './AuthForm'
import { checkedBy } from './checked-by'
import { ClosableProblem } from './ClosableProblem'
import { ResetForm } from './ResetForm'
import { useSendCode } from './use-send-code'

/** A forgotten password in two steps. */
export default function ForgotPage() {
  useTitle(verbs.recoverPassword)
  const [sent, setSent] = useState<{ email: string; at: number } | null>(null)
  const go = (to: typeof sent) => {
    setSent(to)
    focusMain()
  }
  return (
    <Middle>
      <Panel as="div">
        {sent ? (
          <ResetForm {...sent} onSentAgain={(at) => setSent({ ...sent, at })} onBack={() => go(null)} />
        ) : (
          <EmailForm onSent={(email) => go({ email, at: Date.now() })} />
        )}
      </Panel>
    </Middle>
  )
}

function EmailForm({ onSent }: { onSent: (email: string) => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const { sendCode } = useSendCode()
  const form = useForm<{ email: string }>({
    defaultValues: { email: '' },
    resolver: checkedBy('forgotPasswordInput'),
  })

  const submit = form.handleSubmit(async ({ email }) => {
    setProblem(null)
    try {
      await sendCode(email.trim())
      onSent(email.trim())
    } catch (error) {
      setProblem(messageOf(error, text.codeFailed))
    }
  })

  return (
    <Form onSubmit={(event) => void submit(event)} noValidate>
      <header>
        <h1>{verbs.recoverPassword}</h1>
        <p>输入注册邮箱，我们会发送 6 位验证码</p>
      </header>
      <ClosableProblem problem={problem} onClose={() => setProblem(null)} />
      <TextField
        label={labels.email}
        type="email"
        autoComplete="email"
        error={form.formState.errors.email?.message}
        {...form.register('email')}
      />
      <Button type="submit" tone="primary" size="lg" wide busy={form.formState.isSubmitting} busyLabel="发送中…">
        发送验证码
      </Button>
      <Switch>
        <Link href={paths.auth()}>{verbs.backToSignIn}</Link>
      </Switch>
    </Form>
  )
}

const Middle = styled.div`
  display: grid;
  justify-content: center;
  align-content: center;
  min-height: calc(100dvh - ${size.bar} - 1px);
  padding: 32px 24px;

  > div {
    width: min(448px, calc(100vw - 48px));
    padding: 32px 24px;
  }

  ${media.phone} {
    align-content: start;
    padding: 16px;

    > div {
      width: calc(100vw - 32px);
      padding: 24px 16px;
    }
  }
`
