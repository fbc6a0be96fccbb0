import { describeActs } from '../../testing/act'
import { operatorsActs } from '../../testing/operators-acts'

describeActs(operatorsActs)
