import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useController, useFieldArray, useWatch, type Control } from 'react-hook-form'
import styled from 'styled-components'
import { useDebounced } from '../../../ui/use-debounced'
import { font, media } from '../../../theme/tokens'
import { Button, IconButton } from '../../../ui/Button'
import { Help } from '../../../ui/Field'
import { Segments } from '../../../ui/Segments'
import { FormArea, FormNumber, FormText, Row, Section } from '../parts/fields'
import { specFields, type Values } from './price-group-form'
import { HtmlPreview } from './SalesPagePreview'

const kinds = [
  ['none', labels.none],
  ['html', labels.htmlIntroduction],
  ['document', labels.structuredPlan],
] as const

/** HTML, or a document that fixes the configuration. */
export function SalesPageEditor({ control }: { control: Control<Values> }) {
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
      {field.value === 'html' && <HtmlEditor control={control} />}
      {field.value === 'document' && <DocumentEditor control={control} />}
    </Section>
  )
}

function HtmlEditor({ control }: { control: Control<Values> }) {
  const [shown, setShown] = useState(false)
  return (
    <>
      <Code>
        <FormArea
          control={control}
          name="html"
          label={labels.htmlContent}
          rows={8}
          spellCheck={false}
          help="显示前会去除脚本、表单和样式，最多 64 KB"
        />
      </Code>
      <div>
        <Button size="sm" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? '收起预览' : verbs.preview}
        </Button>
      </div>
      {shown && <Preview control={control} />}
    </>
  )
}

function Preview({ control }: { control: Control<Values> }) {
  const html = useDebounced(useWatch({ control, name: 'html' }), 300)
  return <HtmlPreview html={html} name="当前内容" />
}

function DocumentEditor({ control }: { control: Control<Values> }) {
  const { fields, append, remove } = useFieldArray({ control, name: 'document.systems' })
  return (
    <>
      <Help>客户只能按这里的配置购买，不能更改；价格包含全部资源。</Help>
      <Row $columns={3}>
        {specFields.map(([name, label, unit]) => (
          <FormNumber key={name} control={control} name={`document.${name}`} label={label} unit={unit} required whole />
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

const Code = styled.div`
  textarea {
    font-family: ${font.family.mono};
    ${font.xs}
  }
`

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
