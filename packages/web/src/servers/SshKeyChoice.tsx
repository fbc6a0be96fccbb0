import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import * as pages from '../page-names'
import { useEffect, useEffectEvent } from 'react'
import { Link } from 'wouter'
import styled from 'styled-components'
import { trpc } from '../api/trpc'
import { paths } from '../paths'
import { color, font, radius } from '../theme/tokens'
import { Button } from '../ui/Button'
import { checkboxLook } from '../ui/checkbox-look'

/** Which public keys go on a server. */
export function SshKeyChoice({ chosen, onChange }: { chosen: string[]; onChange: (ids: string[]) => void }) {
  const keys = trpc.accounts.sshKeys.useQuery()

  // Who removed it elsewhere could not take it back here.
  const letGo = useEffectEvent((known: readonly { id: string }[]) => {
    const left = chosen.filter((one) => known.some(({ id }) => id === one))
    if (left.length < chosen.length) onChange(left)
  })
  useEffect(() => {
    if (keys.data) letGo(keys.data)
  }, [keys.data])

  if (!keys.data && !keys.isError) return null
  return (
    <fieldset>
      <Legend>SSH密钥（可选）</Legend>
      {!keys.data ? (
        <Hint>
          {text.loadFailed}{' '}
          <Button size="sm" onClick={() => void keys.refetch()}>
            {verbs.retry}
          </Button>
        </Hint>
      ) : keys.data.length === 0 ? (
        <Hint>
          还没有密钥，可以在<Link href={paths.profile('keys')}>{pages.profile}</Link>中添加。
        </Hint>
      ) : (
        <Row>
          {keys.data.map((key) => (
            <Key key={key.id} title={key.fingerprint}>
              <input
                type="checkbox"
                checked={chosen.includes(key.id)}
                onChange={(event) =>
                  onChange(event.target.checked ? [...chosen, key.id] : chosen.filter((id) => id !== key.id))
                }
              />
              {key.name}
            </Key>
          ))}
        </Row>
      )}
    </fieldset>
  )
}

const Legend = styled.legend`
  padding: 0;
  margin-bottom: 6px;
  color: ${color.text2};
`

const Hint = styled.p`
  ${font.xs}
  color: ${color.text3};

  a {
    text-decoration: underline;
  }
`

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
`

const Key = styled.label`
  display: inline-flex;
  align-items: center;
  gap: 8px;
  max-width: 100%;
  min-height: 36px;
  overflow-wrap: anywhere;
  padding: 0 12px;
  border: 1px solid ${color.line};
  border-radius: ${radius.control};
  cursor: pointer;

  ${checkboxLook}

  &:has(:checked) {
    border-color: ${color.primary.brand};
    background: ${color.primary.tint};
  }
`
