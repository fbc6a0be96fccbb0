import { readHostName } from '@vps/shared/reverse-names'
import type { ReverseNameView } from '@vps/shared/reverse-names.contract'
import * as text from '@vps/shared/text'
import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { useState } from 'react'
import { fieldErrorsOf, messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { Alert } from '../../ui/Alert'
import { Dialog } from '../../ui/Dialog'
import { TextField } from '../../ui/Field'
import { SaveButtons } from '../../ui/SaveButtons'
import { toast } from '../../ui/toast'
import { useOpen } from '../../ui/use-open'

interface Props {
  serverId: string
  one: ReverseNameView
  mustResolve: boolean
  onClose: () => void
}

/** An address's one name; empty, none. */
export function ReverseNameDialog({ serverId, one: { address, name }, mustResolve, onClose }: Props) {
  const utils = trpc.useUtils()
  const isOpen = useOpen()
  const set = trpc.reverseNames.set.useMutation({
    async onSuccess(_done, wish) {
      toast(wish.name === '' ? '反向解析将被删除' : '反向解析已保存，正在写入', 'success')
      await utils.reverseNames.invalidate()
      if (isOpen()) onClose()
    },
    onError: (error) => void (isOpen() || toast(messageOf(error), 'error')),
  })
  const [typed, setTyped] = useState(name ?? '')
  const [fault, setFault] = useState<string | undefined>()
  const refused = set.error ? fieldErrorsOf(set.error)['name'] : undefined

  function save() {
    const wish = typed.trim()
    const isWrong = wish !== '' && readHostName(wish) === null
    setFault(isWrong ? text.badHostName : undefined)
    if (!isWrong) set.mutate({ serverId, address, name: wish })
  }

  return (
    <Dialog
      open
      sticky
      title={verbs.setReverseName}
      onClose={onClose}
      footer={<SaveButtons form="reverse-name" busy={set.isPending} onCancel={onClose} />}
    >
      <form
        id="reverse-name"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label={`${address} 的${labels.domainName}`}
          placeholder="mail.example.com"
          help={
            mustResolve
              ? '留空为删除。域名需先解析到这个地址。'
              : '留空为删除。域名最好也解析到这个地址，否则邮件可能被拒收。'
          }
          maxLength={253}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          value={typed}
          error={fault ?? refused}
          onChange={({ target }) => {
            setTyped(target.value)
            setFault(undefined)
          }}
        />
      </form>
      {set.isError && refused === undefined && <Alert tone="error">{messageOf(set.error)}</Alert>}
    </Dialog>
  )
}
