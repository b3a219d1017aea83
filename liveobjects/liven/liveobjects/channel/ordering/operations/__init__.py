"""Operations on their way: own ones, those without a number yet, delivered ones, and those that a member
lacks.

The numbers are given in ordering/orderer. Start in own_operations.
"""
