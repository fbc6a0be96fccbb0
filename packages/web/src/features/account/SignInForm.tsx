import { text } from '@vps/shared/text'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'wouter'
import { messageOf } from '../../api/errors'
import { startSession } from '../../api/session'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { Alert } from '../../ui/Alert'
import { Button } from '../../ui/Button'
import { PasswordField, TextField } from '../../ui/Field'
import { Form, Switch } from './AuthForm'
import { lazyResolver } from './lazy-resolver'

interface Values {
  username: string
  password: string
}

/** Username and password; success leads on through the guard of this page. */
export function SignInForm({ onSwitch }: { onSwitch: () => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const signIn = trpc.accounts.signIn.useMutation()
  const form = useForm<Values>({
    defaultValues: { username: '', password: '' },
    resolver: lazyResolver('signInResolver'),
  })
  const { errors } = form.formState

  const submit = form.handleSubmit(
    async ({ username, password }) => {
      setProblem(null)
      try {
        const { token, ...user } = await signIn.mutateAsync({ username: username.trim(), password })
        startSession(token, user)
      } catch (error) {
        setProblem(messageOf(error, text.loginFailed))
      }
    },
    () => {
      const { username, password } = form.getValues()
      setProblem(username.trim() === '' || password === '' ? text.loginEmpty : '请更正表单中的错误后再提交')
    },
  )

  return (
    <Form onSubmit={(event) => void submit(event)} noValidate>
      <header>
        <h1>登录</h1>
        <p>欢迎回来，登录后管理您的服务器</p>
      </header>
      {problem && (
        <Alert tone="error" onClose={() => setProblem(null)}>
          {problem}
        </Alert>
      )}
      <TextField
        label="用户名"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...form.register('username')}
      />
      <PasswordField
        label="密码"
        autoComplete="current-password"
        error={errors.password?.message}
        {...form.register('password')}
      />
      <Button type="submit" tone="primary" size="lg" wide busy={form.formState.isSubmitting} busyLabel="登录中…">
        登录
      </Button>
      <Switch>
        还没有账户？
        <button type="button" onClick={onSwitch}>
          立即注册
        </button>
        {' · '}
        <Link href={paths.forgotPassword()}>忘记密码</Link>
      </Switch>
    </Form>
  )
}
