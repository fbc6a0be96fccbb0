import {
  ColumnNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  ReferenceNode,
  ValueListNode,
  ValueNode,
  type BinaryOperationNode,
  type LimitNode,
  type OperationNode,
} from 'kysely'
import { wordColumns } from './words.js'

/**
 * Writes into the text what a column of words or of yes and no is compared with, and a limit of one. Statements are
 * prepared, and a plan for any value uses no partial index: the oldest job due to a host was looked for among all that
 * it ever had. There are few such values, so the texts stay few.
 */
export class Compiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    super.visitBinaryOperation({ ...node, rightOperand: written(node.leftOperand, node.rightOperand) })
  }

  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(ValueNode.is(node.limit) && node.limit.value === 1 ? { ...node, limit: literal(1) } : node)
  }
}

function written(left: OperationNode, right: OperationNode): OperationNode {
  if (ValueNode.is(right) && typeof right.value === 'boolean') return literal(right.value)
  if (!isWord(left)) return right
  if (ValueNode.is(right) && typeof right.value === 'string') return literal(right.value)
  return PrimitiveValueListNode.is(right) ? ValueListNode.create(right.values.map(literal)) : right
}

const literal = (value: unknown) => ValueNode.createImmediate(value)

function isWord(node: OperationNode): boolean {
  if (ReferenceNode.is(node)) return isWord(node.column)
  return ColumnNode.is(node) && wordColumns.has(node.column.name)
}
