require 'set'
# A class.
module M
  class A < B
    include Comparable
    attr_reader :x, :y
    CONST = [1, 2.0, :sym, "s#{1 + 2}t", 'q', nil].freeze
    def initialize(a, b = 1, *rest, key: 2, **opts, &block)
      @a, @b = a, b
      super()
      return if a.nil? || !b
      unless a > 1 then puts "x" else puts("y", 1) end
      while true do break end
    end
    def self.f(x) = x + 1
    def each
      @list.each_with_index { |v, i| yield v, i }
      (1..10).map do |n| next n if n.even?; n * 2 end
      case x
      when 1, 2 then :a
      when String
        :b
      else
        :c
      end
      begin
        raise ArgumentError, "bad" if %w[a b].include?(y)
      rescue TypeError, KeyError => e
        retry
      ensure
        h = { a: 1, 'b' => 2, **opts }
      end
    end
  end
end
