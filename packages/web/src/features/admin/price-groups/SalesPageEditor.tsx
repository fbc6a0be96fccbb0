import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { Plus, Trash2 } from 'lucide-react'
import { useController, useFieldArray, useFormState, type Control } from 'react-hook-form'
import styled from 'styled-components'
import { paths } from '../../../paths'
import { font, media } from '../../../theme/tokens'
import { Button, ButtonLink, IconButton } from '../../../ui/Button'
import { Help, Problem } from '../../../ui/Field'
import { Segments } from '../../../ui/Segments'
import { FormNumber, FormText, Row, Section } from '../parts/fields'
import { specFields, type Values } from './price-group-form'

const kinds = [
  ['none', labels.none],
  ['html', labels.htmlIntroduction],
  ['document', labels.structuredPlan],
] as const

/** HTML, written elsewhere, or a fixed document. */
export function SalesPageEditor({ control, groupId }: { control: Control<Values>; groupId: string | null }) {
  const { field } = useController({ control, name: 'page' })
  return (
    <Section title={labels.salesPage}>
      <div>
        <Segments
          label={labels.salesPageKind}
          name="sales-page-kind"
          value={field.value}
          onChange={field.onChange}
          options={kinds}
        />
      </div>
      {field.value === 'html' && <HtmlElsewhere control={control} groupId={groupId} />}
      {field.value === 'document' && <DocumentEditor control={control} />}
    </Section>
  )
}

function HtmlElsewhere({ control, groupId }: { control: Control<Values>; groupId: string | null }) {
  const { errors } = useFormState({ control, name: 'html' })
  if (groupId === null) return <Help>创建价格组后，在它的销售页上编辑 HTML，旁边即时预览。</Help>
  return (
    <div>
      <ButtonLink size="sm" href={paths.salesPage(groupId)}>
        {verbs.editSalesPage}
      </ButtonLink>
      {errors.html && <Problem role="alert">{errors.html.message}</Problem>}
      <Help>在单独的页面编辑 HTML，旁边即时预览；请先保存此处的其他修改。</Help>
    </div>
  )
}

function DocumentEditor({ control }: { control: Control<Values> }) {
  const { fields, append, remove } = useFieldArray({ control, name: 'document.systems' })
  return (
    <>
      <Help>客户只能按这里的配置购买，不能更改；价格包含全部资源。</Help>
      <Row $columns={3}>
        {specFields.map(([name, label, unit]) => (
          <FormNumber key={name} control={control} name={`document.${name}`} label={label} unit={unit} whole />
        ))}
      </Row>
      <Systems>
        <legend>可选操作系统</legend>
        {fields.length === 0 && <Help>未指定时，客户可选全部可用镜像。</Help>}
        {fields.map((system, i) => (
          <System key={system.id}>
            <FormText
              control={control}
              name={`document.systems.${i}.name` as const}
              label={labels.osName}
              required
              placeholder="Debian"
              autoComplete="off"
            />
            <FormText
              control={control}
              name={`document.systems.${i}.versions` as const}
              label={labels.version}
              required
              placeholder="12，13"
              autoComplete="off"
            />
            <IconButton label={`删除第 ${i + 1} 个系统`} onClick={() => remove(i)}>
              <Trash2 size={16} strokeWidth={1.75} />
            </IconButton>
          </System>
        ))}
        <div>
          <Button
            size="sm"
            icon={<Plus size={14} strokeWidth={1.75} aria-hidden />}
            onClick={() => append({ name: '', versions: '' })}
          >
            新增系统
          </Button>
        </div>
      </Systems>
    </>
  )
}

const Systems = styled.fieldset`
  display: grid;
  gap: 12px;

  legend {
    padding: 0;
    margin-bottom: 8px;
    ${font.sm}
  }
`

const System = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto;
  align-items: start;
  gap: 12px;

  > button {
    margin-top: 28px;
  }

  ${media.phone} {
    gap: 8px;
  }
`
