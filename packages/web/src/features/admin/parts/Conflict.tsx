import { errorTable } from '@vps/shared/errors'
import * as text from '@vps/shared/text'
import { useWatch, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form'
import styled from 'styled-components'
import { color, font, radius } from '../../../theme/tokens'
import { Alert } from '../../../ui/Alert'
import { Button } from '../../../ui/Button'
import { intoView } from '../../../ui/Refusal'
import { differingOf, textOf, type Compared } from './compared'

/** Another operator saved first; theirs can be taken over. */
export function Conflict<V extends FieldValues>({
  form,
  theirs,
  fields,
  mayBeMine,
}: {
  form: UseFormReturn<V>
  theirs: V
  fields: Compared<V>[]
  /** Saved here before, without an answer. */
  mayBeMine: boolean
}) {
  const mine = useWatch({ control: form.control, compute: (values: V) => values })
  const differing = differingOf(fields, mine, theirs)
  const take = ({ name }: Compared<V>) =>
    form.setValue(name as Path<V>, theirs[name], { shouldDirty: true, shouldValidate: true })
  return (
    <Box role="alert" ref={intoView}>
      <Alert
        tone="warning"
        action={
          differing.length > 0 && (
            <Button size="sm" onClick={() => differing.forEach(take)}>
              全部采用最新值
            </Button>
          )
        }
      >
        {mayBeMine ? `${text.sentBefore}可能已经保存` : errorTable.CONFLICT.message}
      </Alert>
      {differing.length === 0 ? (
        <p>您填写的内容与最新数据一致，再次保存即可。</p>
      ) : (
        <>
          <p>
            {mayBeMine ? '最新数据与您现在填写的不同' : '其他管理员在您编辑期间保存了此记录'}
            。再次保存将以您填写的内容为准，也可以逐项采用最新值：
          </p>
          <ul aria-label="已被修改的字段">
            {differing.map((field) => (
              <li key={field.name}>
                <span>{field.label}</span>
                <span>
                  <small>最新值</small> {textOf(field, theirs)}
                </span>
                <Button size="sm" tone="quiet" aria-label={`采用${field.label}的最新值`} onClick={() => take(field)}>
                  采用
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Box>
  )
}

const Box = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 8px;

  > p {
    ${font.xs}
    color: ${color.text2};
  }

  ul {
    border: 1px solid ${color.line};
    border-radius: ${radius.control};
  }

  li {
    display: grid;
    grid-template-columns: 96px minmax(0, 1fr) auto;
    align-items: center;
    gap: 12px;
    min-height: 40px;
    padding: 4px 12px;
    overflow-wrap: anywhere;

    & + li {
      border-top: 1px solid ${color.line};
    }
  }

  li > span:first-child,
  small {
    ${font.xs}
    color: ${color.text2};
  }
`
